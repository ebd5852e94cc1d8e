// Loops in which a grid goes over an array.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     for (i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) body(i)
#pragma once

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

#include <optional>

namespace gridspan::transforms {

/// `index` goes from `start`, while it is less than `end`, by `step`. Where nothing wraps, `start`
/// grows by one from thread to thread along x. The others are the same for all threads as far as
/// their expressions tell.
struct GridLoop {
  llvm::Loop* loop;
  llvm::PHINode* index;  // i32 or i64; other phis of the head live from one round to the next
  llvm::Value *start, *end, *step;
  bool is_signed;
  bool tests_first;         // the head asks, not the latch
  llvm::BranchInst* guard;  // if the latch asks: what asks in front of the loop
};

/// i1: `left` is less than `right`.
llvm::Value* write_less(llvm::IRBuilder<>& builder, bool is_signed, llvm::Value* left,
                        llvm::Value* right);

/// The loop has a preheader and one way out.
std::optional<GridLoop> as_grid_loop(llvm::Loop& loop);

/// What the value is computed from, itself included.
llvm::SetVector<const llvm::Value*> sources(const llvm::Value* value);

/// Computes values again for one thread of a row, in front of what asks for its thread. A value
/// that is there already is taken.
class ForOneThread {
 public:
  ForOneThread(llvm::IRBuilder<>& builder, const llvm::DominatorTree& dominators)
      : builder_(builder), dominators_(dominators) {}
  /// `original` is `value` here.
  void set(const llvm::Value& original, llvm::Value* value) { map_[&original] = value; }
  llvm::Value* operator()(llvm::Value* value);

 private:
  llvm::IRBuilder<>& builder_;
  const llvm::DominatorTree& dominators_;
  llvm::ValueToValueMapTy map_;
};

/// Of a row of threads: their first number's and last number's start, and how many they are (i32).
struct RowOfNumbers {
  llvm::Value *first, *last, *end, *step, *count;
  bool is_signed;
};

/// i1: in no round one of the numbers wraps.
llvm::Value* nothing_wraps(llvm::IRBuilder<>& builder, const RowOfNumbers& row);

}  // namespace gridspan::transforms
