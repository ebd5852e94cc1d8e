// Solving comparisons for the index.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/index_interval.h"

#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

namespace gridspan::transforms {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

class Solver {
 public:
  Solver(const CountedLoop& counted, IRBuilder<>& builder) : counted_(counted), builder_(builder) {}

  std::optional<IndexInterval> solve(ICmpInst::Predicate predicate, Value* left, Value* right);

 private:
  /// base + index or base - index; a null base is zero.
  struct Position {
    Value* base;
    bool falls;
    bool fits_signed, fits_unsigned;  // does not wrap, read so
  };
  std::optional<Position> position_of(Value* value) const;
  std::optional<IndexInterval> compared(ICmpInst::Predicate predicate, const Position& position,
                                        Value* limit);
  std::optional<IndexInterval> near_zero(ICmpInst::Predicate predicate, Value* number,
                                         Value* limit);
  Value* wide(Value* value, bool is_signed);
  Value* clamped(Value* value);
  Value* plus(Value* value, std::int64_t more) {
    return more == 0 ? value : builder_.CreateAdd(value, builder_.getInt64(more));
  }
  bool is_invariant(const Value* value) const { return counted_.loop->isLoopInvariant(value); }
  bool is_index_extended(Value* value) const {
    Value* inner;
    return counted_.is_index(match(value, m_ZExtOrSExt(m_Value(inner))) ? inner : value);
  }

  const CountedLoop& counted_;
  IRBuilder<>& builder_;
};

/// Numbers so far away are no thread's; sums of a few of them are far from wrapping.
constexpr std::int64_t far_away = std::int64_t{1} << 40;

Value* Solver::clamped(Value* value) {
  value = builder_.CreateBinaryIntrinsic(Intrinsic::smin, value, builder_.getInt64(far_away));
  return builder_.CreateBinaryIntrinsic(Intrinsic::smax, value, builder_.getInt64(-far_away));
}

/// What is poison for no thread that matters is one number for all of them.
Value* Solver::wide(Value* value, bool is_signed) {
  if (!isa<Constant>(value)) value = builder_.CreateFreeze(value);
  if (!value->getType()->isIntegerTy(64))
    return builder_.CreateIntCast(value, builder_.getInt64Ty(), is_signed);
  if (is_signed) return clamped(value);
  return builder_.CreateBinaryIntrinsic(Intrinsic::umin, value, builder_.getInt64(far_away));
}

std::optional<Solver::Position> Solver::position_of(Value* value) const {
  if (is_index_extended(value)) return Position{nullptr, false, true, true};
  Value *left, *right;
  if (match(value, m_SExt(m_Value(left)))) {
    auto inner = position_of(left);
    if (inner) inner->fits_unsigned = false;
    return inner && inner->fits_signed ? inner : std::nullopt;
  }
  if (!value->getType()->isIntegerTy(32)) return std::nullopt;
  if (match(value, m_NSWSub(m_Value(left), m_Value(right))) && is_invariant(left) &&
      counted_.is_index(right))
    return Position{left, true, true, false};
  auto* sum = dyn_cast<BinaryOperator>(value);
  if (!sum || sum->getOpcode() != Instruction::Add) return std::nullopt;
  for (unsigned i = 0; i < 2; ++i) {
    Value *index = sum->getOperand(i), *base = sum->getOperand(1 - i);
    if (!counted_.is_index(index) || !is_invariant(base)) continue;
    bool fits_signed = sum->hasNoSignedWrap(), fits_unsigned = sum->hasNoUnsignedWrap();
    // Of other sums it is better to assume that all lanes pass the test than to compute bounds.
    if (!isa<ConstantInt>(base) && !(fits_signed && fits_unsigned)) return std::nullopt;
    return Position{base, false, fits_signed, fits_unsigned};
  }
  return std::nullopt;
}

std::optional<IndexInterval> Solver::compared(ICmpInst::Predicate predicate,
                                              const Position& position, Value* limit) {
  const bool is_signed =
      ICmpInst::isSigned(predicate) || (ICmpInst::isEquality(predicate) && position.fits_signed);
  if (!(is_signed ? position.fits_signed : position.fits_unsigned)) return std::nullopt;
  if (predicate == ICmpInst::ICMP_NE) {  // index != 0
    if (position.base || !match(limit, m_Zero())) return std::nullopt;
    return IndexInterval{builder_.getInt64(1), nullptr};
  }
  Value* there = wide(limit, is_signed);  // where base + index or base - index is the limit
  if (position.base) {
    Value* base = wide(position.base, is_signed);
    there = position.falls ? builder_.CreateSub(base, there) : builder_.CreateSub(there, base);
  }
  if (predicate == ICmpInst::ICMP_EQ) return IndexInterval{there, plus(there, 1)};
  predicate = ICmpInst::getSignedPredicate(predicate);
  if (position.falls) predicate = ICmpInst::getSwappedPredicate(predicate);
  switch (predicate) {
    case ICmpInst::ICMP_SLT:
      return IndexInterval{nullptr, there};
    case ICmpInst::ICMP_SLE:
      return IndexInterval{nullptr, plus(there, 1)};
    case ICmpInst::ICMP_SGT:
      return IndexInterval{plus(there, 1), nullptr};
    default:
      return IndexInterval{there, nullptr};
  }
}

/// `x - index` or `x + index` as an unsigned number below a constant: a wrap would lead far away.
std::optional<IndexInterval> Solver::near_zero(ICmpInst::Predicate predicate, Value* number,
                                               Value* limit) {
  const APInt* most;
  constexpr std::uint64_t highest = std::uint64_t{1} << 30;
  unsigned bits = number->getType()->getScalarSizeInBits();
  if (!match(limit, m_APInt(most)) || most->ugt(highest) || (bits != 32 && bits != 64) ||
      (predicate != ICmpInst::ICMP_ULT && predicate != ICmpInst::ICMP_ULE))
    return std::nullopt;
  auto size = static_cast<std::int64_t>(most->getZExtValue() + (predicate == ICmpInst::ICMP_ULE));
  Value *left, *right;
  if (match(number, m_Sub(m_Value(left), m_Value(right)))) {
    if (!is_invariant(left) || !is_index_extended(right)) return std::nullopt;
    Value* end = plus(wide(left, true), 1);
    return IndexInterval{plus(end, -size), end};
  }
  if (!match(number, m_Add(m_Value(left), m_Value(right)))) return std::nullopt;
  if (is_index_extended(right)) std::swap(left, right);
  if (!is_index_extended(left) || !is_invariant(right)) return std::nullopt;
  Value* begin = builder_.CreateNeg(wide(right, true));
  return IndexInterval{begin, plus(begin, size)};
}

std::optional<IndexInterval> Solver::solve(ICmpInst::Predicate predicate, Value* left,
                                           Value* right) {
  // x + i == 0 reads x | i == 0 by now.
  if (Value * a, *b; predicate == ICmpInst::ICMP_EQ && match(right, m_Zero()) &&
                     match(left, m_Or(m_Value(a), m_Value(b)))) {
    if (counted_.is_index(a)) std::swap(a, b);
    if (counted_.is_index(b) && is_invariant(a))
      return IndexInterval{nullptr, builder_.CreateSub(builder_.getInt64(1), wide(a, false))};
  }
  if (is_invariant(left)) {
    std::swap(left, right);
    predicate = ICmpInst::getSwappedPredicate(predicate);
  }
  if (!is_invariant(right)) return std::nullopt;
  if (auto position = position_of(left))
    if (auto interval = compared(predicate, *position, right)) return interval;
  return near_zero(predicate, left, right);
}

}  // namespace

std::optional<IndexInterval> interval_of(Value* condition, bool holds, const CountedLoop& counted,
                                         IRBuilder<>& builder) {
  auto* test = dyn_cast<ICmpInst>(condition);
  if (!test || !test->getOperand(0)->getType()->isIntegerTy() ||
      counted.loop->isLoopInvariant(test))
    return std::nullopt;
  auto predicate = holds ? test->getPredicate() : test->getInversePredicate();
  auto found = Solver(counted, builder).solve(predicate, test->getOperand(0), test->getOperand(1));
  const APInt* begin;
  if (found && found->begin && match(found->begin, m_APInt(begin)) && !begin->isStrictlyPositive())
    found->begin = nullptr;
  return found;
}

}  // namespace gridspan::transforms
