// What barriers order, and what the threads of a block have in common.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"

#include <vector>

namespace gridspan::transforms {

/// Of a simplified kernel whose sync points are calls still.
class BlockOrder {
 public:
  BlockOrder(llvm::Function& kernel, const llvm::DominatorTree& dominators,
             const llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution);

  const std::vector<llvm::Instruction*>& barriers() const { return barriers_; }
  /// No sync points but barriers of all threads of the block, and at least one of these.
  bool has_plain_barriers_only() const { return is_plain_ && !barriers_.empty(); }

  /// The value may not be the same for all threads that are in the same round of each loop with a
  /// barrier.
  bool differs(const llvm::Value* value) const { return differing_.contains(value); }

  /// All threads of the block get there, equally often.
  bool is_reached_by_all(const llvm::Instruction& instruction) const;

  /// Each way from one to the other has a barrier.
  bool has_barrier_between(llvm::Instruction& from, llvm::Instruction& to) const;

  /// Some way from one of them to another, or to itself, has a barrier.
  bool any_cross_barrier(llvm::ArrayRef<llvm::Instruction*> instructions) const;

 private:
  void find_differing();
  bool is_of_all_rounds(const llvm::PHINode& phi) const;
  bool ends_together(const llvm::BasicBlock& exiting) const;
  bool is_between(const llvm::BasicBlock& branch, const llvm::BasicBlock& there) const;
  /// Is there an instruction after `from` that `is_it` says yes to, given whether a barrier was
  /// crossed?
  bool reaches(llvm::Instruction& from,
               llvm::function_ref<bool(llvm::Instruction&, bool)> is_it) const;

  llvm::Function& kernel_;
  const llvm::DominatorTree& dominators_;
  const llvm::LoopInfo& loops_;
  llvm::ScalarEvolution& evolution_;
  llvm::PostDominatorTree post_dominators_;
  std::vector<llvm::Instruction*> barriers_;
  bool is_plain_ = true;
  llvm::DenseSet<const llvm::Value*> differing_;
};

}  // namespace gridspan::transforms
