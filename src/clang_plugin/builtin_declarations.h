// `extern const uint3 threadIdx;`
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs declare the built-in variables for editors that don't know them. Ours are of each thread
// (cuda_headers/gridspan/builtin_variables.h), which clang does not let a later declaration forget.
#pragma once

#include "clang_plugin/cures.h"

namespace gridspan::clang_plugin {

/// Another name, which nobody uses.
std::optional<Edit> without_builtin_declaration(const Complaint& complaint);

}  // namespace gridspan::clang_plugin
