// Loops over a tile stay loops.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `for (int k = 0; k < 16; ++k) sum += as[ty][k] * bs[k][tx]` is unrolled for a GPU, by LLVM or
// because the program asks for it. Here several vectors of threads go through such a loop together,
// their sums in registers (vectorise/rows.h); of sixteen rounds of all of them written out LLVM's
// scheduler makes so many values alive at once that they spill. Nor could it be made one with the
// loop around it (flatten_loops.h).
#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"

namespace gridspan::transforms {

/// Marks the loop as one not to be unrolled for now, whatever the program asks for, if it is an
/// innermost one that only computes from shared memory. Not where it subscripts a thread's own
/// array, which could become registers.
void keep_rolled(llvm::Loop& loop, llvm::ScalarEvolution& evolution);

/// Takes these marks away. True: there were some.
bool allow_unrolling(llvm::Function& function);

}  // namespace gridspan::transforms
