// Writing down the way to a phi as a condition.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/block_function/flags.h"

#include "transforms/live_values.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

/// What a flag is from the start of a block on, as an expression that its phi's block can compute.
/// Parts that other ways leave undefined are behind selects, as they were behind branches.
class FlagExpression {
 public:
  FlagExpression(PHINode& flag, const DominatorTree& dominators)
      : flag_(flag),
        dominators_(dominators),
        builder_(flag.getParent(), flag.getParent()->getFirstInsertionPt()) {}

  /// Null if it cannot be written down; then copies may be left that nobody uses.
  Value* make() {
    const BasicBlock* here = flag_.getParent();
    const auto* node = dominators_.getNode(here);
    bool is_round = any_of(
        flag_.blocks(), [&](const BasicBlock* from) { return dominators_.dominates(here, from); });
    if (!node || !node->getIDom() || is_round) return nullptr;
    return at_end(*node->getIDom()->getBlock());
  }

 private:
  Value* at_end(BasicBlock& block);
  Value* along(BasicBlock& from, BasicBlock& to);
  Value* chosen(Value* condition, Value* yes, Value* no);
  Value* copied(Value* value);

  PHINode& flag_;
  const DominatorTree& dominators_;
  IRBuilder<> builder_;
  DenseMap<const Value*, Value*> copies_;
  SmallPtrSet<const BasicBlock*, 8> open_;  // on the way to where we are
  unsigned steps_ = 0;
};

Value* FlagExpression::at_end(BasicBlock& block) {
  constexpr unsigned most_branches = 12;
  auto* branch = dyn_cast<BranchInst>(block.getTerminator());
  if (!branch || ++steps_ > most_branches || !open_.insert(&block).second) return nullptr;
  Value *yes = along(block, *branch->getSuccessor(0)), *made = yes;
  if (yes && branch->isConditional()) {
    Value* no = along(block, *branch->getSuccessor(1));
    made = !no ? nullptr : yes == no ? yes : chosen(copied(branch->getCondition()), yes, no);
  }
  open_.erase(&block);
  return made;
}

Value* FlagExpression::along(BasicBlock& from, BasicBlock& to) {
  return &to == flag_.getParent() ? copied(flag_.getIncomingValueForBlock(&from)) : at_end(to);
}

Value* FlagExpression::chosen(Value* condition, Value* yes, Value* no) {
  if (!condition) return nullptr;
  if (auto* known = dyn_cast<ConstantInt>(no))
    return known->isZero() ? builder_.CreateLogicalAnd(condition, yes)
                           : builder_.CreateLogicalOr(builder_.CreateNot(condition), yes);
  if (auto* known = dyn_cast<ConstantInt>(yes))
    return known->isZero() ? builder_.CreateLogicalAnd(builder_.CreateNot(condition), no)
                           : builder_.CreateLogicalOr(condition, no);
  return builder_.CreateSelect(condition, yes, no);
}

/// The value, computed in the phi's block if need be.
Value* FlagExpression::copied(Value* value) {
  constexpr unsigned most_copies = 32;
  auto* instruction = dyn_cast<Instruction>(value);
  if (!instruction || dominators_.dominates(instruction->getParent(), flag_.getParent()))
    return instruction && instruction->getParent() == flag_.getParent() ? nullptr : value;
  if (Value* copy = copies_.lookup(value)) return copy;
  if (isa<PHINode>(instruction) || instruction->mayReadFromMemory() ||
      !isSafeToSpeculativelyExecute(instruction) || copies_.size() >= most_copies)
    return nullptr;
  SmallVector<Value*> operands;
  for (Value* operand : instruction->operands())
    if (isa<Function>(operand))
      operands.push_back(operand);
    else if (Value* copy = copied(operand))
      operands.push_back(copy);
    else
      return nullptr;
  Instruction* copy = instruction->clone();
  for (auto [use, operand] : zip(copy->operands(), operands)) use.set(operand);
  builder_.Insert(copy, value->getName());
  copies_[value] = copy;
  return copy;
}

}  // namespace

void express_flags(Function& kernel, ArrayRef<Cut> cuts) {
  LiveValues live(kernel);
  SetVector<PHINode*> flags;
  for (const Cut& cut : cuts)
    for (Instruction* value : live.live_into(*cut.continuation))
      if (auto* phi = dyn_cast<PHINode>(value);
          phi && phi->getType()->isIntegerTy(1) &&
          any_of(phi->incoming_values(), [](const Use& way) { return isa<ConstantInt>(way); }))
        flags.insert(phi);
  if (flags.empty()) return;
  DominatorTree dominators(kernel);
  for (PHINode* flag : flags)
    if (Value* condition = FlagExpression(*flag, dominators).make()) {
      flag->replaceAllUsesWith(condition);
      flag->eraseFromParent();
    }
}

}  // namespace gridspan::transforms
