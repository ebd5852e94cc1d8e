// `__device__ [[nodiscard]] int f()` in a class, `__shared__ [[maybe_unused]] int a[8]`
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Our headers spell CUDA's specifiers as GNU attributes; behind those clang wants no standard
// attribute there, but the other way round is fine. Nothing else on the line moves.
#pragma once

#include "clang_plugin/cures.h"

namespace gridspan::clang_plugin {

std::optional<Edit> attribute_first(const Complaint& complaint);

}  // namespace gridspan::clang_plugin
