// Which values of a kernel are the same for all threads of a block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Function.h"

namespace gridspan::transforms {

/// A value is *uniform* if all threads that compute it between the same two barriers get the same.
/// What a uniform address holds is: a thread that changed it meanwhile would race with the others.
/// A branch on anything else is *divergent*, and so is all code up to where its ways meet again.
/// Optimistic fixed point after Karrenberg & Hack; O(values * loop depth) in practice.
class UniformValues {
 public:
  UniformValues(llvm::Function& kernel, const llvm::LoopInfo& loops,
                const llvm::PostDominatorTree& post_dominators);

  /// Also of arguments and constants. What came into the kernel later is taken to vary.
  bool is_uniform(const llvm::Value* value) const;
  /// Some threads may pass the block while others do not.
  bool is_divergent(const llvm::BasicBlock& block) const { return divergent_.contains(&block); }

 private:
  bool varies(const llvm::Instruction& instruction) const;
  bool is_source(const llvm::Instruction& instruction) const;
  void part_ways(const llvm::BasicBlock& at);

  const llvm::LoopInfo& loops_;
  const llvm::PostDominatorTree& post_dominators_;
  llvm::DenseSet<const llvm::Value*> known_, varying_;
  llvm::DenseSet<const llvm::BasicBlock*> divergent_, joins_, parted_;
  llvm::DenseSet<const llvm::Loop*> left_one_by_one_;
  bool changed_ = false;
};

}  // namespace gridspan::transforms
