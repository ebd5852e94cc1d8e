// The loop over a block's warps.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "transforms/context.h"

namespace gridspan::transforms {

struct WarpLoopBlocks {
  llvm::BasicBlock* before;  // ends with the branch to `warp`
  llvm::BasicBlock* warp;    // empty, begins with a warp
  llvm::BasicBlock* next;    // empty, where finished warps go
  llvm::BasicBlock* done;
};

/// Ends `next` and puts into `context` the linear number, and the coordinates, of each warp's first
/// thread. Rows of the block are whole warps.
void count_warps(const WarpLoopBlocks& blocks, llvm::Value* threads, ContextValues& context);

}  // namespace gridspan::transforms
