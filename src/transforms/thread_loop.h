// The loop over the threads of a block that carries a region.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     for (t = first; t < last; t += run, x = 0, ++y, ...)       rows of the block
//       run = min(row length - x, last - t)
//       for (i = 0; i < run; ++i)                                 innermost, along threadIdx.x
//         body(x + i, y, z, t + i)
//
// The innermost loop has one body, unit stride and no exits: what a vectoriser wants.
#pragma once

#include "transforms/context.h"

namespace gridspan::transforms {

struct ThreadLoop {
  llvm::BasicBlock* body;   // empty; the thread's code goes here
  llvm::BasicBlock* latch;  // every path of the thread's code ends with a branch to it
  llvm::Value* index;       // i32: counts threads of the innermost loop
};

/// The rows of a block, or of several that run as one.
struct BlockRows {
  llvm::Value* threads;    // of each; i32, as is
  llvm::Value* count;      // in a layer
  bool are_whole = false;  // from 0 to the end of a row: `run` is the same for all of them
};

/// Builds the loop nest at the end of the block `builder` stands in (which must be open) and fills
/// in the thread's part of `values` (linear, thread_index). `first`, `last`: i32, first < last.
ThreadLoop make_thread_loop(llvm::IRBuilder<>& builder, llvm::Value* first, llvm::Value* last,
                            const BlockRows& rows, ContextValues& values);

/// The same where threads are numbered through, so that rows don't matter: one loop, and only the
/// linear number is filled in.
ThreadLoop make_linear_loop(llvm::IRBuilder<>& builder, llvm::Value* first, llvm::Value* last,
                            ContextValues& values);

/// The same for a whole warp of neighbours in a row; `values` has the first one's part.
ThreadLoop make_warp_loop(llvm::IRBuilder<>& builder, ContextValues& values);

}  // namespace gridspan::transforms
