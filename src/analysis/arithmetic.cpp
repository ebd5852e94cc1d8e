// Sums, products, shifts and bits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/evaluator.h"
#include "analysis/numbers.h"

namespace gridspan::analysis {

using namespace llvm;

Number Evaluator::binary(const BinaryOperator& operation) {
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
  a.value = a.value.scale_down(factor).floor();
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

Number Evaluator::bitwise(const BinaryOperator& operation) {
  auto* constant = dyn_cast<ConstantInt>(operation.getOperand(1));
  if (operation.getOpcode() == Instruction::Or)
    if (auto* disjoint = dyn_cast<PossiblyDisjointInst>(&operation);
        disjoint && disjoint->isDisjoint()) {
      Number a = number(operation.getOperand(0)), b = number(operation.getOperand(1));
      return {symbols_.recombined(a.value.add(b.value)), together(a.uses, b.uses)};
    }
  if (!constant) return combine_bits(operation);
  const APInt& bits = constant->getValue();
  Number a = number(operation.getOperand(0));
  isl::ctx context = symbols_.context();
  switch (operation.getOpcode()) {
    case Instruction::And:
      if (bits.isMask()) {  // the low bits
        a.value = a.value.mod(power_of_two(context, bits.countTrailingOnes()));
        return a;
      }
      if ((~bits).isMask()) {  // all but the low bits
        isl::val low = power_of_two(context, bits.countTrailingZeros());
        a.value = a.value.sub(a.value.mod(low));
        return a;
      }
      if (bits.isPowerOf2() && !bits.isSignMask()) {  // one bit
        isl::val bit = power_of_two(context, bits.logBase2());
        a.value = a.value.scale_down(bit).floor().mod(2).scale(bit);
        return a;
      }
      break;
    case Instruction::Or:
    case Instruction::Xor: {
      bool toggles = operation.getOpcode() == Instruction::Xor;
      if (toggles && bits.isAllOnes()) {
        a.value = a.value.neg().add_constant(-1);
        return a;
      }
      if (bits.isPowerOf2() && !bits.isSignMask()) {  // v ± bit, by whether it is set
        isl::val bit = power_of_two(context, bits.logBase2());
        isl::pw_aff is_set = a.value.scale_down(bit).floor().mod(2);
        a.value = a.value.add_constant(bit).sub(is_set.scale(toggles ? bit.mul(2) : bit));
        return a;
      }
      break;
    }
    default:
      break;
  }
  if (operation.getOpcode() == Instruction::And && bits.isNonNegative())
    return data_between(operation, "bits of a value", isl::val::zero(context),
                        number_of(context, bits));
  return data(operation, "bits that are not followed");
}

}  // namespace gridspan::analysis
