// Whether an assumption holds for all lanes of a vector: as a rule its first and last lane tell.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/vectorise/masks.h"
#include "transforms/vectorise/rounds.h"
#include "transforms/vectorise/widener.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/PatternMatch.h"

namespace gridspan::transforms {

using namespace llvm;
using namespace llvm::PatternMatch;

/// Goes on if `holds`, else hands the vector over. What is poison is nobody's concern as long as
/// nobody uses it, but must not be branched on.
void Widener::require(Value* holds, const Instruction& about) {
  if (match(holds, m_One())) return;
  bool is_branch = isa<BranchInst>(about);
  if (is_linear() || !(is_branch || programUndefinedIfPoison(&about)))
    holds = builder_.CreateFreeze(holds);
  BasicBlock* next = BasicBlock::Create(context_, "holds", body_.function, body_.header);
  builder_.CreateCondBr(holds, next, where_broken(), likely(context_));
  builder_.SetInsertPoint(next);
}

/// In rounds that all lanes do together: to the other loop, which goes on with this round.
BasicBlock* Widener::where_broken() const {
  BasicBlock* rest = rests_.lookup(rounds_around(*writing_, loops_));
  return rest ? rest : loop_.where_broken;
}

void Widener::check_exact(Instruction& instruction) {
  const Assumptions& assumed = shapes_.assumed();
  auto found = assumed.exact.find(&instruction);
  if (found == assumed.exact.end() || assumed.proven.contains(&instruction)) return;
  Shape shape = shapes_.of(&instruction);
  if (shape.kind != Shape::strided) return;
  Value* first = written_.lookup(&instruction);
  if (found->second.is_signed) require(does_not_wrap(first, shape.stride, true), instruction);
  if (found->second.is_unsigned) require(does_not_wrap(first, shape.stride, false), instruction);
}

/// Of numbers anywhere in the code, before it begins.
void Widener::check_bounds() {
  for (auto [cast, bound] : shapes_.assumed().bounded) {
    auto stride = static_cast<std::uint64_t>(shapes_.of(cast).stride);
    APInt highest = highest_limit(*cast, bound, stride * (loop_.lanes - 1));
    auto predicate = bound.is_signed ? ICmpInst::ICMP_SLE : ICmpInst::ICMP_ULE;
    require(builder_.CreateICmp(predicate, bound.limit, builder_.getInt(highest)), *cast);
  }
}

/// Of a branch that comes too late for a check.
void Widener::check_early(Instruction& condition) {
  auto found = shapes_.assumed().early.find(&condition);
  if (found != shapes_.assumed().early.end())
    require(all_find(&condition, found->second), condition);
}

/// Numbers of lanes, `stride` apart, starting with `first`.
Value* Widener::does_not_wrap(Value* first, std::int64_t stride, bool is_signed) {
  std::int64_t reach = stride * static_cast<std::int64_t>(loop_.lanes - 1);
  unsigned bits = first->getType()->getIntegerBitWidth();
  APInt limit = reach > 0 ? (is_signed ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits))
                          : (is_signed ? APInt::getSignedMinValue(bits) : APInt::getMinValue(bits));
  limit -= APInt(bits, static_cast<std::uint64_t>(reach), true);
  auto predicate = reach > 0 ? (is_signed ? ICmpInst::ICMP_SLE : ICmpInst::ICMP_ULE)
                             : (is_signed ? ICmpInst::ICMP_SGE : ICmpInst::ICMP_UGE);
  return builder_.CreateICmp(predicate, first, builder_.getInt(limit));
}

/// Known of all lanes, not only of those that are here.
bool Widener::is_exact(const Value* value, bool is_signed) const {
  Shape shape = shapes_.of(value);
  return !is_linear() && (is_signed ? shape.exact_signed : shape.exact_unsigned);
}

/// All lanes find that `condition` is `wanted`. It may be said not to hold where numbers wrap.
Value* Widener::all_find(Value* condition, bool wanted) {
  if (shapes_.of(condition).is_uniform())
    return wanted ? scalar(condition) : builder_.CreateNot(scalar(condition));
  Value *left, *right;
  if (match(condition, m_Not(m_Value(left)))) return all_find(left, !wanted);
  if (wanted ? match(condition, m_LogicalAnd(m_Value(left), m_Value(right)))
             : match(condition, m_LogicalOr(m_Value(left), m_Value(right)))) {
    Value* first = all_find(left, wanted);
    return builder_.CreateLogicalAnd(first, all_find(right, wanted));
  }
  if (auto* comparison = dyn_cast<ICmpInst>(condition); is_testable(shapes_, condition, wanted)) {
    LaneComparison test = *compare_lanes(shapes_, *comparison);
    if (!wanted) test.predicate = CmpInst::getInversePredicate(test.predicate);
    return all_compare(test);
  }
  Value* lanes = vector(condition);
  return all_lanes(builder_, wanted ? lanes : builder_.CreateNot(lanes), loop_.lanes);
}

/// Compares the lane that is most likely to fail. Where that is the one furthest from the first, it
/// is the bound that moves, and stops at the type's end, so that lanes that wrap fail:
///     first + reach < bound  as  first < max(bound - reach, lowest)
Value* Widener::all_compare(const LaneComparison& comparison) {
  auto [predicate, strided, uniform] = comparison;
  Value *first = scalar(strided), *bound = scalar(uniform);
  std::int64_t stride = shapes_.of(strided).stride;
  unsigned bits = first->getType()->getIntegerBitWidth();
  APInt reach(bits, static_cast<std::uint64_t>(std::abs(stride)) * (loop_.lanes - 1));
  if (predicate == CmpInst::ICMP_NE) {
    Value* distance =
        stride > 0 ? builder_.CreateSub(bound, first) : builder_.CreateSub(first, bound);
    return builder_.CreateICmpUGT(distance, builder_.getInt(reach));
  }
  bool is_signed = CmpInst::isSigned(predicate);
  if (!implies_exact(shapes_, comparison)) {
    Value* holds = builder_.CreateICmp(predicate, first, bound);
    return is_exact(strided, is_signed)
               ? holds
               : builder_.CreateAnd(holds, does_not_wrap(first, stride, is_signed));
  }
  if (CmpInst::isNonStrictPredicate(predicate)) reach -= 1;
  auto moves = stride > 0 ? (is_signed ? Intrinsic::ssub_sat : Intrinsic::usub_sat)
                          : (is_signed ? Intrinsic::sadd_sat : Intrinsic::uadd_sat);
  Value* limit = builder_.CreateBinaryIntrinsic(moves, bound, builder_.getInt(reach));
  return builder_.CreateICmp(CmpInst::getStrictPredicate(predicate), first, limit);
}

/// The lanes between the first and the last find what these find, unless they wrap.
Value* Widener::all_agree(const LaneComparison& comparison) {
  auto [predicate, strided, uniform] = comparison;
  Value *first = scalar(strided), *bound = scalar(uniform);
  std::int64_t stride = shapes_.of(strided).stride;
  bool is_signed = CmpInst::isSigned(predicate);
  Value* last = builder_.CreateAdd(
      first, ConstantInt::getSigned(first->getType(), stride * static_cast<int>(loop_.lanes - 1)));
  Value* holds = builder_.CreateICmpEQ(builder_.CreateICmp(predicate, first, bound),
                                       builder_.CreateICmp(predicate, last, bound));
  return is_exact(strided, is_signed)
             ? holds
             : builder_.CreateAnd(holds, does_not_wrap(first, stride, is_signed));
}

}  // namespace gridspan::transforms
