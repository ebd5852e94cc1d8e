// Comparisons with a loop's round, and sums to which nothing is added.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/padded_rounds.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

namespace gridspan::transforms {

using namespace llvm;
using namespace llvm::PatternMatch;

static constexpr char zero_outside[] = "gridspan_zero_outside";

CallInst* write_zero_outside(IRBuilder<>& builder, Value* condition, Value* value) {
  Module& module = *builder.GetInsertBlock()->getModule();
  std::string name = zero_outside;
  raw_string_ostream(name) << '.' << *value->getType();
  FunctionCallee callee = module.getOrInsertFunction(
      name, FunctionType::get(value->getType(), {builder.getInt1Ty(), value->getType()}, false));
  auto* function = cast<Function>(callee.getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  return builder.CreateCall(callee, {condition, value});
}

bool is_zero_outside(const Value& value) {
  auto* call = dyn_cast<CallInst>(&value);
  return call && call->getCalledFunction() &&
         call->getCalledFunction()->getName().starts_with(zero_outside);
}

namespace {

class PaddingFinder {
 public:
  PaddingFinder(const Loop& outer, const Loop& inner, unsigned rounds, ScalarEvolution& evolution)
      : outer_(outer), inner_(inner), rounds_(rounds), evolution_(evolution) {}

  std::optional<PaddedRounds> find(ArrayRef<PHINode*> carried) {
    for (BasicBlock* block : inner_.blocks())
      for (Instruction& instruction : *block)
        if (is_zero_outside(instruction)) found_.calls.push_back(cast<CallInst>(&instruction));
    if (found_.calls.empty()) return std::move(found_);
    for (CallInst* call : found_.calls)
      if (!set_first(call->getArgOperand(0))) return std::nullopt;
    for (PHINode* phi : carried) {
      auto* sum = dyn_cast<Instruction>(phi->getIncomingValueForBlock(inner_.getLoopLatch()));
      if (!sum || !adds_nothing(*sum, *phi)) return std::nullopt;
      found_.sums.push_back(sum);
    }
    return leaves_sums_only() ? std::optional(std::move(found_)) : std::nullopt;
  }

 private:
  /// `condition` is "round < first".
  bool set_first(Value* condition) {
    auto* test = dyn_cast<ICmpInst>(condition);
    if (!test) return false;
    auto predicate = test->getPredicate();
    const SCEV *round = evolution_.getSCEV(test->getOperand(0)),
               *end = evolution_.getSCEV(test->getOperand(1));
    if (!evolution_.isLoopInvariant(end, &outer_)) {
      std::swap(round, end);
      predicate = test->getSwappedPredicate();
    }
    if (!evolution_.isLoopInvariant(end, &outer_) || !ICmpInst::isLT(predicate)) return false;
    if (!is_round(round) || !is_positive(end)) return false;
    Type* i64 = Type::getInt64Ty(condition->getContext());
    const SCEV* first = ICmpInst::isSigned(predicate) ? evolution_.getNoopOrSignExtend(end, i64)
                                                      : evolution_.getNoopOrZeroExtend(end, i64);
    if (found_.first && found_.first != first) return false;
    found_.first = first;
    return true;
  }

  /// m * rounds + k, counted without wrapping.
  bool is_round(const SCEV* value) {
    while (isa<SCEVZeroExtendExpr, SCEVSignExtendExpr>(value))
      value = cast<SCEVCastExpr>(value)->getOperand();
    auto* inside = dyn_cast<SCEVAddRecExpr>(value);
    auto* outside = inside ? dyn_cast<SCEVAddRecExpr>(inside->getStart()) : nullptr;
    if (!outside || inside->getLoop() != &inner_ || outside->getLoop() != &outer_ ||
        !inside->isAffine() || !outside->isAffine() || !outside->getStart()->isZero() ||
        !inside->getStepRecurrence(evolution_)->isOne())
      return false;
    auto* step = dyn_cast<SCEVConstant>(outside->getStepRecurrence(evolution_));
    return step && step->getAPInt() == rounds_ && evolution_.isKnownNonNegative(value);
  }

  bool is_positive(const SCEV* value) {
    while (isa<SCEVZeroExtendExpr, SCEVSignExtendExpr>(value))
      value = cast<SCEVCastExpr>(value)->getOperand();
    return evolution_.isKnownPositive(value) ||
           evolution_.isLoopEntryGuardedByCond(&outer_, ICmpInst::ICMP_SGT, value,
                                               evolution_.getZero(value->getType()));
  }

  static bool is_zero(const Value* value) { return is_zero_outside(*value); }

  /// 0 or, of floating-point numbers, 0.0: not -0.0, infinity times 0, or a rounded number.
  static bool adds_nothing(Instruction& sum, PHINode& before) {
    Value *first, *second;
    if (match(&sum, m_c_Add(m_Specific(&before), m_Mul(m_Value(first), m_Value(second)))))
      return is_zero(first) || is_zero(second);
    if (match(&sum, m_c_FAdd(m_Specific(&before), m_FMul(m_Value(first), m_Value(second)))))
      return is_zero(first) && is_zero(second);
    if (match(&sum, m_c_Add(m_Specific(&before), m_Value(first))) ||
        match(&sum, m_c_FAdd(m_Specific(&before), m_Value(first))))
      return is_zero(first);
    auto* fused = dyn_cast<IntrinsicInst>(&sum);
    return fused &&
           (fused->getIntrinsicID() == Intrinsic::fmuladd ||
            fused->getIntrinsicID() == Intrinsic::fma) &&
           fused->getArgOperand(2) == &before && is_zero(fused->getArgOperand(0)) &&
           is_zero(fused->getArgOperand(1));
  }

  bool leaves_sums_only() {
    for (BasicBlock* block : inner_.blocks())
      for (Instruction& instruction : *block) {
        if (instruction.mayHaveSideEffects()) return false;
        if (!is_contained(found_.sums, &instruction) &&
            any_of(instruction.users(),
                   [&](User* user) { return !inner_.contains(cast<Instruction>(user)); }))
          return false;
      }
    return true;
  }

  const Loop &outer_, &inner_;
  unsigned rounds_;
  ScalarEvolution& evolution_;
  PaddedRounds found_;
};

}  // namespace

std::optional<PaddedRounds> find_padded_rounds(const Loop& outer, const Loop& inner,
                                               unsigned rounds, ArrayRef<PHINode*> carried,
                                               ScalarEvolution& evolution) {
  return PaddingFinder(outer, inner, rounds, evolution).find(carried);
}

void leave_out(const PaddedRounds& padded, const Loop& inner, Value* were_there) {
  for (CallInst* call : padded.calls) {
    call->replaceAllUsesWith(call->getArgOperand(1));
    call->eraseFromParent();
  }
  BasicBlock* behind = inner.getExitBlock();
  IRBuilder<> builder(behind, behind->getFirstInsertionPt());
  for (Instruction* sum : padded.sums) {
    if (!sum->getType()->isFloatingPointTy()) continue;
    Value* positive = builder.CreateFAdd(sum, ConstantFP::get(sum->getType(), 0.0));
    Value* whole = builder.CreateSelect(were_there, positive, sum, "whole");
    for (Use& use : make_early_inc_range(sum->uses())) {
      auto* user = cast<Instruction>(use.getUser());
      if (inner.contains(user) || user == positive || user == whole) continue;
      if (isa<PHINode>(user) && user->getParent() == behind)
        user->replaceAllUsesWith(whole);
      else
        use.set(whole);
    }
  }
}

}  // namespace gridspan::transforms
