// Threads that do nothing are left out of the loop over threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     for (i = 0; i < run; ++i)             run = min(run, d - x)
//       if (x + i < d) { work }       =>    for (i = 0; i < run; ++i)
//                                             work
//
// The steps of a tree in shared memory (`if (threadIdx.x < d) s[threadIdx.x] += ...`) then cost
// what they do, and `if (threadIdx.x == 0)` costs one thread.
//
// Of a diagonal (`step - threadIdx.x` is from 0 to 31), the loop begins at its first thread:
//
//     for (i = 0; i < run; ++i)             first = max(step - 31, 0), run = ... - first
//       if (step - i <u 32) { work }  =>    for (i = 0; i < run; ++i)
//                                             work, with first + i
//
// So it is with all conditions on the way to the first effect: of a shrinking tile, whose edges are
// those of the block and those of the data, the threads from the last of four beginnings to the
// first of four ends are left. What depends on the row only stays where it is.
#pragma once

#include "llvm/IR/Function.h"

namespace gridspan::transforms {

/// Makes guards of the region's loop over threads its bounds where nothing but the guarded code has
/// effects. Expects tidy loops. Returns whether it did.
bool bound_threads_by_guard(llvm::Function& region);

}  // namespace gridspan::transforms
