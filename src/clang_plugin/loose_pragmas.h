// `#pragma unroll` before what is no loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "clang_plugin/cures.h"

namespace gridspan::clang_plugin {

/// nvcc warns and goes on; the pragma is taken away.
std::optional<Edit> without_loose_pragma(const Complaint& complaint);

}  // namespace gridspan::clang_plugin
