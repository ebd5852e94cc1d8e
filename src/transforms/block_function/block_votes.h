// Barriers that reduce a predicate: what a block's skeleton finds in columns of its frame.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     n = __syncthreads_count(p)     segment:   votes[t] = p != 0
//                                    skeleton:  n = number of threads that are there and voted
//
// __syncthreads_or asks whether there are such votes, __syncthreads_and whether there are none
// against. Where threads leave early (early_returns.h), it is found whether all have.
#pragma once

#include "transforms/sync_cuts.h"

#include "llvm/IR/IRBuilder.h"

namespace gridspan::transforms {

/// One such barrier, taken out of the kernel.
struct BlockVote {
  abi::SyncKind kind;         // barrier: whether nobody is there
  llvm::AllocaInst* votes;    // i8, per thread; null: none are asked for
  llvm::Instruction* result;  // stands for what all threads get
};

/// i1: all threads of the block have left.
llvm::CallInst* call_nobody_there(llvm::IRBuilder<>& builder);

/// The instruction is such a barrier, with the same result for all threads.
bool is_block_vote(const llvm::Instruction& instruction);

/// Puts the vote's store before the barrier; the call stays, as its result.
BlockVote take_out_vote(const Cut& cut);

/// The result. Columns have one byte for each of `threads`; null `there`: nobody has left.
llvm::Value* write_vote(llvm::IRBuilder<>& builder, const BlockVote& vote, llvm::Value* votes,
                        llvm::Value* there, llvm::Value* threads);

/// i1: no thread has left.
llvm::Value* write_all_there(llvm::IRBuilder<>& builder, llvm::Value* there, llvm::Value* threads);

/// The first thread that is there; 0 if nobody is.
llvm::Value* write_first_there(llvm::IRBuilder<>& builder, llvm::Value* there,
                               llvm::Value* threads);

}  // namespace gridspan::transforms
