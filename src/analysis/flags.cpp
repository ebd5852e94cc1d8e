// Conditions kept in integers: comparisons joined by & and | instead of && and ||, multiplied, kept
// in a variable, used as masks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As numbers they would be 0 and 1 in many cases, and & of two numbers is not linear. Here they
// stay sets: the lowest bit of a & b is set where those of a and of b are, and so on.
#include "analysis/evaluator.h"
#include "analysis/numbers.h"

#include "llvm/IR/PatternMatch.h"

#include <algorithm>

namespace gridspan::analysis {

using namespace llvm;

namespace {

bool is_bitwise(unsigned opcode) {
  return opcode == Instruction::And || opcode == Instruction::Or || opcode == Instruction::Xor;
}

}  // namespace

/// Is it 0 or 1, whatever the data, as far as that is plain to see?
bool Evaluator::is_flag(const Value* value) {
  if (!is_integer(value)) return false;
  if (value->getType()->isIntegerTy(1)) return true;
  if (auto* constant = dyn_cast<ConstantInt>(value)) return constant->isZero() || constant->isOne();
  auto* instruction = dyn_cast<Instruction>(value);
  if (!instruction) return false;
  auto [known, is_new] = flags_.try_emplace(value, false);
  if (!is_new) return known->second;
  return flags_[value] = joins_flags(*instruction);
}

bool Evaluator::joins_flags(const Instruction& instruction) {
  auto all = [&](auto&& values) {
    return std::ranges::all_of(values, [&](const auto& value) { return is_flag(value); });
  };
  switch (instruction.getOpcode()) {
    case Instruction::SExt:  // of a bit it is 0 or -1
      if (instruction.getOperand(0)->getType()->isIntegerTy(1)) return false;
      [[fallthrough]];
    case Instruction::ZExt:
    case Instruction::Trunc:
    case Instruction::Freeze:
      return is_flag(instruction.getOperand(0));
    case Instruction::And:
      return is_flag(instruction.getOperand(0)) || is_flag(instruction.getOperand(1));
    case Instruction::Or:
    case Instruction::Xor:
    case Instruction::Mul:
      return all(instruction.operands());
    case Instruction::Select:
      return all(drop_begin(instruction.operands()));
    case Instruction::PHI: {
      const Loop* loop = loop_of(instruction.getParent());
      const bool is_carried = loop && loop->getHeader() == instruction.getParent();
      return !is_carried && all(cast<PHINode>(instruction).incoming_values());
    }
    default:
      return false;
  }
}

/// When the lowest bit of an integer is set; of a flag, when it is 1.
Condition Evaluator::lowest_bit(const Value* value) {
  if (value->getType()->isIntegerTy(1)) return condition(value);
  if (const Condition* known = find(&Layer::conditions, value)) return *known;
  Condition result = within_limits(*value, [&] { return evaluate_lowest_bit(value); });
  layers_.back().conditions.insert_or_assign(value, result);
  return result;
}

Condition Evaluator::evaluate_lowest_bit(const Value* value) {
  if (auto* conversion = dyn_cast<CastInst>(value);
      conversion && conversion->isIntegerCast() && is_integer(conversion->getOperand(0)))
    return lowest_bit(conversion->getOperand(0));
  if (auto* frozen = dyn_cast<FreezeInst>(value)) return lowest_bit(frozen->getOperand(0));
  if (const Value* part = part_of_struct(value)) return lowest_bit(part);
  if (auto* operation = dyn_cast<BinaryOperator>(value);
      operation && (is_bitwise(operation->getOpcode()) || is_flag(operation)))
    return join(operation->getOpcode(), lowest_bit(operation->getOperand(0)),
                lowest_bit(operation->getOperand(1)));
  if (auto* select = dyn_cast<SelectInst>(value); select && is_flag(select))
    return choose(condition(select->getCondition()), lowest_bit(select->getTrueValue()),
                  lowest_bit(select->getFalseValue()));
  Number number = this->number(value);
  return {number.value.mod(isl::val(symbols_.context(), 2)).eq_set(symbols_.constant(1)),
          number.uses};
}

/// The bit that an operation gives for two bits.
Condition Evaluator::join(unsigned opcode, const Condition& a, const Condition& b) {
  const Uses uses = together(a.uses, b.uses);
  switch (opcode) {
    case Instruction::Or:
      return {either(a.holds, b.holds), uses};
    case Instruction::Xor:
      return {either(a.holds.subtract(b.holds), b.holds.subtract(a.holds)), uses};
    default:  // and, mul
      return {a.holds.intersect(b.holds), uses};
  }
}

Condition Evaluator::choose(const Condition& when, const Condition& a, const Condition& b) {
  return {either(when.holds.intersect(a.holds), b.holds.subtract(when.holds)),
          together(when.uses, together(a.uses, b.uses))};
}

/// `value` where the condition holds, 0 elsewhere.
Number Evaluator::where(const Condition& when, const Number& value) const {
  isl::pw_aff zero = symbols_.constant(0).intersect_domain(when.holds.complement());
  return {value.value.intersect_domain(when.holds).union_add(zero).coalesce(),
          together(when.uses, value.uses)};
}

/// flag & flag, flag * x, mask & x with a mask that is 0 or -1.
std::optional<Number> Evaluator::masked(const BinaryOperator& operation) {
  if (isa<Constant>(operation.getOperand(1))) return std::nullopt;
  if (is_flag(&operation)) return where(lowest_bit(&operation), {symbols_.constant(1), {}});
  for (unsigned i : {0, 1})
    if (const Value* flag = flag_of_mask(operation, operation.getOperand(i)))
      return where(lowest_bit(flag), number(operation.getOperand(1 - i)));
  return std::nullopt;
}

/// The flag that decides whether `operation` gives its other operand or 0; null if there is none.
const Value* Evaluator::flag_of_mask(const BinaryOperator& operation, const Value* side) {
  using namespace PatternMatch;
  const Value* flag = nullptr;
  if (operation.getOpcode() == Instruction::Mul) flag = side;
  if (operation.getOpcode() == Instruction::And && !match(side, m_SExt(m_Value(flag))) &&
      !match(side, m_Neg(m_Value(flag))))
    return nullptr;
  const bool is_bit = flag && (flag->getType()->isIntegerTy(1) || isa<Instruction>(flag));
  return is_bit && is_flag(flag) ? flag : nullptr;
}

/// A flag compared with 0 or 1.
std::optional<Condition> Evaluator::compare_flag(const ICmpInst& comparison) {
  const Value* flag = comparison.getOperand(0);
  auto* with = dyn_cast<ConstantInt>(comparison.getOperand(1));
  if (!comparison.isEquality() || !with || !is_flag(with) || isa<Constant>(flag) || !is_flag(flag))
    return std::nullopt;
  Condition result = lowest_bit(flag);
  if (with->isOne() != (comparison.getPredicate() == CmpInst::ICMP_EQ))
    result.holds = result.holds.complement();
  return result;
}

}  // namespace gridspan::analysis
