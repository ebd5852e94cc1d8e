// Which values live across sync points.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

#include <vector>

namespace gridspan::transforms {

/// Liveness of SSA values at block entries, for values used outside the block that defines them.
/// Static allocas and arguments are always at hand and are not counted.
/// Backward dataflow; O(blocks * values / 64) per sweep.
class LiveValues {
 public:
  explicit LiveValues(llvm::Function& function);

  /// Values defined before `block` and used in it or after it.
  llvm::SetVector<llvm::Instruction*> live_into(const llvm::BasicBlock& block) const;

 private:
  void number_values(llvm::Function& function);
  void solve(llvm::Function& function);

  std::vector<llvm::Instruction*> values_;
  llvm::DenseMap<const llvm::Instruction*, unsigned> number_;
  llvm::DenseMap<const llvm::BasicBlock*, llvm::BitVector> live_in_;
};

/// Recomputes, instead of keeping, values that are live into one of `continuations` and cost no
/// more than a few pure instructions over arguments, special registers, constants and what is at
/// hand `everywhere` (paper: the cheap side of Polygeist's min-cut, §III-B1). Those `at_hand` stay.
void repeat_cheap_values(llvm::Function& function, llvm::ArrayRef<llvm::BasicBlock*> continuations,
                         llvm::function_ref<bool(const llvm::Value*)> at_hand,
                         llvm::function_ref<bool(const llvm::Value*)> everywhere);

/// What can be repeated so with nothing at hand.
bool is_repeatable(const llvm::Value* value);
llvm::Value* repeat_value(llvm::Value* value, llvm::IRBuilder<>& builder);

/// Moves each value to a stack slot of its own, from which all other blocks load it. Returns the
/// slots, in the same order; mem2reg undoes them wherever they do not matter.
std::vector<llvm::AllocaInst*> demote_values(llvm::ArrayRef<llvm::Instruction*> values);

}  // namespace gridspan::transforms
