// Kernels whose arguments turn out to be different arrays.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In `for (k...) c[i] += a[k] * b[k]` each round stores `c[i]` and loads it again, for `c` may be
// the same array as `a` or `b`. It hardly ever is, and the run time knows: it has handed out the
// arrays. So such a kernel is compiled a second time as if all its pointer parameters were
// __restrict__; launches whose arguments point to different allocations
// (abi::LaunchContext::distinct_arguments) run that code.
#pragma once

#include "llvm/IR/Function.h"

namespace gridspan::transforms {

/// A copy of a simplified kernel without sync points, in which accesses through different
/// parameters are marked as such. Null where that is of no use (no loop stores to one place again
/// and again, nothing is appended: appends.h), or not known: memory is reached in other ways, too.
llvm::Function* copy_for_distinct_arguments(llvm::Function& kernel);

/// Stores inside of loops: what the copy should have less of.
unsigned count_stores_in_loops(llvm::Function& function);

}  // namespace gridspan::transforms
