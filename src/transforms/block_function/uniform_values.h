// Which values of a kernel are the same for all threads of a block, or of a warp.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/ValueMap.h"

namespace gridspan::transforms {

enum class Together { block, warp };

/// A value is *uniform* if all threads that compute it between the same two barriers get the same.
/// What a uniform address holds is: a thread that changed it meanwhile would race with the others.
/// A branch on anything else is *divergent*, and so is all code up to where its ways meet again.
/// Optimistic fixed point after Karrenberg & Hack; O(values * loop depth) in practice.
///
/// In warps: blockDim.x is a multiple of 32, so threads of a warp differ in threadIdx.x only, which
/// is a multiple of 32 and the lane; gridDim.x * blockDim.x fits into 31 bits. Who calls the code
/// checks both. Where threads are numbered through (linear_threads.h), that number is it.
class UniformValues {
 public:
  UniformValues(llvm::Function& kernel, const llvm::LoopInfo& loops,
                const llvm::PostDominatorTree& post_dominators, Together together);

  /// Also of arguments and constants. What came into the kernel later is taken to vary.
  bool is_uniform(const llvm::Value* value) const;
  /// Some threads may pass the block while others do not.
  bool is_divergent(const llvm::BasicBlock& block) const { return divergent_.contains(&block); }

 private:
  bool varies(const llvm::Instruction& instruction) const;
  bool is_of_one_round(const llvm::Value* value, const llvm::Instruction& user) const;
  bool is_source(const llvm::Instruction& instruction) const;
  void part_ways(const llvm::BasicBlock& at);

  // Warps only.
  bool forgets_lane(const llvm::Instruction& instruction) const;
  bool is_multiple(const llvm::Value* value, unsigned depth = 0) const;
  bool is_multiple_and_lane(const llvm::Value* value, unsigned depth = 0) const;
  bool is_position(const llvm::Value* value) const;

  const llvm::LoopInfo& loops_;
  const llvm::PostDominatorTree& post_dominators_;
  Together together_;
  bool rows_are_warps_;  // blockDim.x is a multiple of 32
  struct NotFollowed : llvm::ValueMapConfig<const llvm::Value*> {
    enum { FollowRAUW = false };
  };
  // Forgets what is deleted: something new may take its address.
  llvm::ValueMap<const llvm::Value*, bool, NotFollowed> known_;
  llvm::DenseSet<const llvm::Value*> varying_;
  llvm::DenseSet<const llvm::BasicBlock*> divergent_, joins_, parted_;
  llvm::DenseSet<const llvm::Loop*> left_one_by_one_;
  bool changed_ = false;
};

}  // namespace gridspan::transforms
