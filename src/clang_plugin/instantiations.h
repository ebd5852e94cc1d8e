// `template int f<int>(int);` of a __device__ template
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "clang_plugin/cures.h"

namespace gridspan::clang_plugin {

/// For nvcc an instance has its template's specifiers; clang wants to see them.
std::optional<Edit> specifiers_of_instantiation(const Complaint& complaint);

}  // namespace gridspan::clang_plugin
