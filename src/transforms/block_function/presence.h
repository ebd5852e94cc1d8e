// Which threads of a block are still there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "transforms/block_function/early_returns.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

namespace gridspan::transforms {

/// Writes at the beginning of `block` whether the thread is still there; null if nobody can have
/// left. Where the conditions of all departures on the way are arithmetic, they are computed again:
/// they may bound loops over threads. Else it is loaded.
llvm::Instruction* write_presence(llvm::BasicBlock& block, const EarlyReturns& returns,
                                  const llvm::DominatorTree& dominators,
                                  const llvm::LoopInfo& loops);

/// From now on everybody's note is there to be read, also of those who come to no departure.
void keep_notes(const EarlyReturns& returns);

}  // namespace gridspan::transforms
