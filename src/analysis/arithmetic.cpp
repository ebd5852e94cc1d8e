// Sums, products, shifts and bits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/evaluator.h"
#include "analysis/numbers.h"

#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/ValueTracking.h"

namespace gridspan::analysis {

using namespace llvm;

Number Evaluator::binary(const BinaryOperator& operation) {
  if (std::optional<Number> result = masked(operation)) return *result;
  auto* overflowing = dyn_cast<OverflowingBinaryOperator>(&operation);
  bool safe = overflowing && overflowing->hasNoSignedWrap();
  auto sum = [&](bool negative) {
    Number a = number(operation.getOperand(0)), b = number(operation.getOperand(1));
    return Number{symbols_.recombined(negative ? a.value.sub(b.value) : a.value.add(b.value)),
                  together(a.uses, b.uses)};
  };
  switch (operation.getOpcode()) {
    case Instruction::Add:
      return wrapped(sum(false), operation, safe);
    case Instruction::Sub:
      return wrapped(sum(true), operation, safe);
    case Instruction::Mul:
      return wrapped(product(operation), operation, safe);
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
      return shift(operation);
    case Instruction::SDiv:
    case Instruction::UDiv:
    case Instruction::SRem:
    case Instruction::URem:
      return division(operation);
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
      return bitwise(operation);
    default:
      return data(operation, "an operation that is not followed");
  }
}

Number Evaluator::product(const BinaryOperator& operation) {
  Number a = number(operation.getOperand(0)), b = number(operation.getOperand(1));
  for (auto [count, other] : {std::pair{&a, &b}, std::pair{&b, &a}})
    if (!is_fixed(*other)) *count = whole_warps(*count, operation);
  return {symbols_.multiply(a.value, b.value), together(a.uses, b.uses)};
}

Number Evaluator::shift(const BinaryOperator& operation) {
  auto* amount = dyn_cast<ConstantInt>(operation.getOperand(1));
  unsigned width = operation.getType()->getIntegerBitWidth();
  if (!amount || amount->getValue().uge(width)) return shift_by_variable(operation);
  isl::val factor = power_of_two(symbols_.context(), static_cast<unsigned>(amount->getZExtValue()));
  if (operation.getOpcode() == Instruction::Shl) {
    Number a = number(operation.getOperand(0));
    a.value = a.value.scale(factor);
    return wrapped(a, operation, operation.hasNoSignedWrap());
  }
  Number a = operation.getOpcode() == Instruction::LShr
                 ? non_negative(operation.getOperand(0), operation)
                 : number(operation.getOperand(0));
  a.value = symbols_.quotient(a.value, factor);
  if (operation.getOpcode() == Instruction::AShr || !depends_on_data(a)) return a;
  unsigned left = width - static_cast<unsigned>(amount->getZExtValue());
  if (left > small_type) return a;
  Number top = data_between(operation, "bits of a value", isl::val::zero(symbols_.context()),
                            power_of_two(symbols_.context(), left).sub(1));
  symbols_.define(top.value, top.value.eq_set(a.value));
  top.uses = a.uses;
  return top;
}

/// To the right, no number that is not negative grows.
Number Evaluator::shift_by_variable(const BinaryOperator& operation) {
  Number result = data(operation, "a shift by a variable");
  if (operation.getOpcode() == Instruction::Shl) return result;
  std::optional<Number> a = surely_non_negative(operation.getOperand(0), operation);
  if (!a) return result;
  symbols_.define(
      result.value,
      result.value.ge_set(symbols_.constant(0)).intersect(result.value.le_set(a->value)));
  result.uses = a->uses;
  return result;
}

/// Of numbers that are not negative: x & y is no larger than either, x | y and x ^ y no larger than
/// their sum.
Number Evaluator::combine_bits(const BinaryOperator& operation) {
  Number result = data(operation, "bits combined with a variable");
  std::optional<Number> a = surely_non_negative(operation.getOperand(0), operation),
                        b = surely_non_negative(operation.getOperand(1), operation);
  const isl::pw_aff& x = result.value;
  isl::set range = x.ge_set(symbols_.constant(0));
  if (operation.getOpcode() == Instruction::And) {
    if (!a && !b) return result;
    for (const std::optional<Number>& side : {a, b})
      if (side) range = range.intersect(x.le_set(side->value));
  } else {
    if (!a || !b) return result;
    range = range.intersect(x.le_set(a->value.add(b->value)));
  }
  symbols_.define(x, range);
  for (const std::optional<Number>& side : {a, b})
    if (side) result.uses = together(result.uses, side->uses);
  return result;
}

namespace {

/// A run of set bits of a number: bits `low` to `high` - 1. `is_top`: it ends with the sign bit.
struct Run {
  unsigned low, high;
  bool is_top;
};

std::vector<Run> runs_of(const APInt& bits) {
  std::vector<Run> runs;
  const unsigned width = bits.getBitWidth();
  for (unsigned at = 0; at < width;) {
    at += bits.lshr(at).countTrailingZeros();
    if (at >= width) break;
    unsigned end = at + bits.lshr(at).countTrailingOnes();
    runs.push_back({at, end, end == width});
    at = end;
  }
  return runs;
}

/// What the bits of the run come to in `value`; those that include the sign bit, as a signed
/// number.
isl::pw_aff bits_in(const isl::pw_aff& value, const Run& run, Symbols& symbols) {
  isl::val low = power_of_two(value.ctx(), run.low);
  if (run.is_top) return value.sub(symbols.remainder(value, low));
  isl::val room = power_of_two(value.ctx(), run.high - run.low);
  if (run.low == 0) return symbols.remainder(value, room);
  return symbols.quotient(value, low).mod(room).scale(low);
}

/// No bit is set in both operands: they are added.
bool never_meet(const BinaryOperator& operation) {
  auto* disjoint = dyn_cast<PossiblyDisjointInst>(&operation);
  if (disjoint && disjoint->isDisjoint()) return true;
  return haveNoCommonBitsSet(operation.getOperand(0), operation.getOperand(1),
                             SimplifyQuery(operation.getModule()->getDataLayout(), &operation));
}

/// What they come to where all are set.
isl::val all_set(isl::ctx context, const Run& run) {
  isl::val low = power_of_two(context, run.low);
  return run.is_top ? low.neg() : power_of_two(context, run.high).sub(low);
}

}  // namespace

/// With a number, by its runs of set bits: each is kept (and), filled (or), or turned over (xor).
Number Evaluator::bitwise(const BinaryOperator& operation) {
  auto* constant = dyn_cast<ConstantInt>(operation.getOperand(1));
  const unsigned opcode = operation.getOpcode();
  if (opcode != Instruction::And && never_meet(operation)) {
    Number a = number(operation.getOperand(0)), b = number(operation.getOperand(1));
    return {symbols_.recombined(a.value.add(b.value)), together(a.uses, b.uses)};
  }
  if (!constant) return combine_bits(operation);
  constexpr std::size_t many = 3;
  const std::vector<Run> runs = runs_of(constant->getValue());
  isl::ctx context = symbols_.context();
  if (runs.size() > many && opcode == Instruction::And && constant->getValue().isNonNegative())
    return data_between(operation, "bits of a value", isl::val::zero(context),
                        number_of(context, constant->getValue()));
  if (runs.size() > many) return data(operation, "bits that are not followed");
  Number a = number(operation.getOperand(0));
  isl::pw_aff result = opcode == Instruction::And ? symbols_.constant(0) : a.value;
  for (const Run& run : runs) {
    isl::pw_aff there = bits_in(a.value, run, symbols_);
    if (opcode == Instruction::And)
      result = result.add(there);
    else
      result = result.add_constant(all_set(context, run))
                   .sub(opcode == Instruction::Xor ? there.scale(isl::val(context, 2)) : there);
  }
  return {result, a.uses};
}

}  // namespace gridspan::analysis
