// Finds the trees of ands over what ballots tell.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/merged_votes.h"

#include "abi/sync.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

#include <optional>

namespace gridspan::transforms {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// Of a whole warp.
IntrinsicInst* as_ballot(Value* value) {
  auto* call = dyn_cast<IntrinsicInst>(value);
  const bool is_ballot = call && call->getIntrinsicID() == Intrinsic::nvvm_vote_ballot_sync &&
                         match(call->getArgOperand(0), m_AllOnes());
  return is_ballot ? call : nullptr;
}

bool is_opposite(Value* one, Value* other) {
  if (match(one, m_Not(m_Specific(other))) || match(other, m_Not(m_Specific(one)))) return true;
  auto *left = dyn_cast<ICmpInst>(one), *right = dyn_cast<ICmpInst>(other);
  return left && right && left->getOperand(0) == right->getOperand(0) &&
         left->getOperand(1) == right->getOperand(1) &&
         left->getPredicate() == right->getInversePredicate();
}

/// `vote ? yes : ~yes`, of what was asked; null: it is not.
IntrinsicInst* as_agreement(Instruction& one) {
  Value *left, *right, *vote;
  if (match(&one, m_Xor(m_Value(left), m_Value(right)))) {
    for (const auto& [yes, mask] : {std::pair(left, right), {right, left}}) {
      IntrinsicInst* ballot = as_ballot(yes);
      if (ballot && ballot->hasOneUse() && match(mask, m_SExt(m_Value(vote))) &&
          is_opposite(vote, ballot->getArgOperand(1)))
        return ballot;
    }
    // ~(yes ^ sext(vote))
    Value *first, *second;
    if (!match(&one, m_Not(m_Xor(m_Value(first), m_Value(second))))) return nullptr;
    for (const auto& [yes, mask] : {std::pair(first, second), {second, first}}) {
      IntrinsicInst* ballot = as_ballot(yes);
      if (ballot && ballot->hasOneUse() &&
          match(mask, m_SExt(m_Specific(ballot->getArgOperand(1)))))
        return ballot;
    }
    return nullptr;
  }
  if (!match(&one, m_Select(m_Value(vote), m_Value(left), m_Value(right)))) return nullptr;
  const auto is_choice = [&](Value* yes, Value* no) {
    IntrinsicInst* ballot = as_ballot(yes);
    return ballot && match(no, m_Not(m_Specific(yes))) && ballot->hasNUses(2) && no->hasOneUse();
  };
  if (is_choice(left, right) && vote == as_ballot(left)->getArgOperand(1)) return as_ballot(left);
  if (is_choice(right, left) && is_opposite(vote, as_ballot(right)->getArgOperand(1)))
    return as_ballot(right);
  return nullptr;
}

using Ballots = SmallVector<IntrinsicInst*, 8>;

/// In one block: values that are ands of agreements, and nothing else.
class AgreementFinder {
 public:
  explicit AgreementFinder(BasicBlock& block) {
    for (Instruction& one : block) {
      if (IntrinsicInst* ballot = as_agreement(one); ballot && ballot->getParent() == &block)
        found_[&one] = {ballot};
      else
        add_and(one);
    }
  }

  /// The largest ones: (value, ballots in the block's order).
  SmallVector<std::pair<Instruction*, Ballots>> take() {
    SmallVector<std::pair<Instruction*, Ballots>> all;
    for (auto& [value, ballots] : found_) {
      if (ballots.size() < 2 || ballots.size() > 32) continue;
      llvm::sort(ballots, [](auto* a, auto* b) { return a->comesBefore(b); });
      all.push_back({value, ballots});
    }
    return all;
  }

 private:
  void add_and(Instruction& one) {
    Instruction *left, *right;
    if (!match(&one, m_And(m_Instruction(left), m_Instruction(right)))) return;
    auto first = found_.find(left), second = found_.find(right);
    if (first == found_.end() || second == found_.end() || !left->hasOneUse() ||
        !right->hasOneUse())
      return;
    Ballots both = first->second;
    both.append(second->second);
    found_.erase(left);
    found_.erase(right);
    found_[&one] = std::move(both);
  }

  MapVector<Instruction*, Ballots> found_;
};

/// Nothing from the first to the last that another lane could tell the order of.
bool are_together(const Ballots& ballots) {
  const Instruction* last = ballots.back();
  for (const Instruction* one = ballots.front(); one != last; one = one->getNextNode())
    if (!is_contained(ballots, one) && (one->mayReadOrWriteMemory() || one->mayHaveSideEffects()))
      return false;
  return true;
}

/// The votes as they are in one number already: `x & 1 != 0`, `x & 2 != 0`, ...
Value* common_number(IRBuilder<>& builder, const Ballots& ballots) {
  Value* number = nullptr;
  APInt asked(32, 0);
  for (IntrinsicInst* ballot : ballots) {
    Value* from;
    const APInt* bit;
    ICmpInst::Predicate predicate;
    if (!match(ballot->getArgOperand(1),
               m_ICmp(predicate, m_And(m_Value(from), m_APInt(bit)), m_Zero())) ||
        predicate != ICmpInst::ICMP_NE || !from->getType()->isIntegerTy(32) || !bit->isPowerOf2() ||
        (number && number != from))
      return nullptr;
    number = from;
    asked |= *bit;
  }
  return builder.CreateAnd(number, ConstantInt::get(number->getType(), asked));
}

Value* number_of_votes(IRBuilder<>& builder, const Ballots& ballots) {
  if (Value* number = common_number(builder, ballots)) return number;
  Value* number = builder.getInt32(0);
  for (const auto [i, ballot] : enumerate(ballots)) {
    Value* vote = builder.CreateZExt(ballot->getArgOperand(1), builder.getInt32Ty());
    number = builder.CreateOr(number, builder.CreateShl(vote, i));
  }
  return number;
}

void merge(Instruction& agreement, const Ballots& ballots) {
  IRBuilder<> builder(ballots.back());
  Module& module = *agreement.getModule();
  FunctionCallee callee = module.getOrInsertFunction(
      abi::vote_agreement_function,
      FunctionType::get(builder.getInt32Ty(), {builder.getInt32Ty()}, false));
  auto* function = cast<Function>(callee.getCallee());
  function->setConvergent();
  function->setDoesNotThrow();
  CallInst* call = builder.CreateCall(callee, {number_of_votes(builder, ballots)}, "agree");
  call->setConvergent();
  call->setDebugLoc(ballots.back()->getDebugLoc());
  agreement.replaceAllUsesWith(call);
  RecursivelyDeleteTriviallyDeadInstructions(&agreement);
  for (IntrinsicInst* ballot : ballots) {
    Value* vote = ballot->getArgOperand(1);
    ballot->eraseFromParent();
    RecursivelyDeleteTriviallyDeadInstructions(vote);
  }
}

}  // namespace

void merge_votes(Function& kernel) {
  for (BasicBlock& block : kernel)
    for (auto& [agreement, ballots] : AgreementFinder(block).take())
      if (are_together(ballots)) merge(*agreement, ballots);
}

}  // namespace gridspan::transforms
