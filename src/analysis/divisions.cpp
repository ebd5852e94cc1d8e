// Divisions and remainders.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/evaluator.h"
#include "analysis/numbers.h"

#include "llvm/IR/InstIterator.h"

#include <algorithm>

namespace gridspan::analysis {

using namespace llvm;

namespace {

bool is_signed(const BinaryOperator& operation) {
  return operation.getOpcode() == Instruction::SDiv || operation.getOpcode() == Instruction::SRem;
}

bool is_remainder(const BinaryOperator& operation) {
  return operation.getOpcode() == Instruction::SRem || operation.getOpcode() == Instruction::URem;
}

/// Made of arguments and numbers only.
bool is_of_arguments(const Value* value, unsigned depth = 0) {
  constexpr unsigned deep = 6;
  if (isa<Argument>(value) || isa<ConstantInt>(value)) return true;
  auto* instruction = dyn_cast<Instruction>(value);
  if (!instruction || depth > deep) return false;
  if (isa<LoadInst>(instruction) || isa<GetElementPtrInst>(instruction) ||
      isa<CastInst>(instruction) || isa<BinaryOperator>(instruction))
    return std::ranges::all_of(instruction->operands(), [&](const Use& operand) {
      return is_of_arguments(operand.get(), depth + 1);
    });
  return false;
}

}  // namespace

Number Evaluator::division(const BinaryOperator& operation) {
  auto* divisor = dyn_cast<ConstantInt>(operation.getOperand(1));
  if (!divisor) return divide_by_variable(operation);
  if (!divisor->getValue().isStrictlyPositive())
    return data(operation, "a division by a negative number");
  return divide_by_number(operation, number_of(symbols_.context(), divisor->getValue()));
}

Number Evaluator::divide_by_number(const BinaryOperator& operation, const isl::val& by) {
  Number a = is_signed(operation) ? number(operation.getOperand(0))
                                  : non_negative(operation.getOperand(0), operation);
  if (!is_signed(operation) || is_non_negative(a)) {
    a.value =
        is_remainder(operation) ? symbols_.remainder(a.value, by) : symbols_.quotient(a.value, by);
  } else {
    isl::pw_aff other = constant_of(symbols_, by);
    a.value = is_remainder(operation) ? a.value.tdiv_r(other) : a.value.tdiv_q(other);
  }
  return a;
}

/// The products by which the kernel divides, as far as that is plain to see.
const std::vector<Monomial>& Evaluator::divisors() {
  if (divisors_) return *divisors_;
  divisors_.emplace();
  for (const Instruction& instruction : instructions(function_)) {
    auto* operation = dyn_cast<BinaryOperator>(&instruction);
    if (!operation || !operation->isIntDivRem() || !is_integer(operation)) continue;
    const Value* by = operation->getOperand(1);
    if (isa<ConstantInt>(by) || !is_of_arguments(by)) continue;
    Monomial factors = symbols_.factors(number(by).value);
    if (!factors.empty() && std::ranges::find(*divisors_, factors) == divisors_->end())
      divisors_->push_back(factors);
  }
  return *divisors_;
}

Number Evaluator::divide_by_variable(const BinaryOperator& operation) {
  const Value *left = operation.getOperand(0), *right = operation.getOperand(1);
  Number a = is_signed(operation) ? number(left) : non_negative(left, operation);
  Number b = is_signed(operation) ? number(right) : non_negative(right, operation);
  bool is_data = false;
  for (const std::string& name : model::involved_parameters(a.value))
    is_data = is_data || symbols_[name].kind == Symbol::Kind::data;
  bool fixed = std::ranges::all_of(model::involved_parameters(b.value),
                                   [&](auto& name) { return symbols_.is_parameter(name); });
  isl::ctx context = symbols_.context();
  isl::val most = power_of_two(context, operation.getType()->getIntegerBitWidth() - 1).sub(1);
  isl::set positive = b.value.ge_set(symbols_.constant(1));
  if (is_signed(operation) && fixed && !never(positive.complement()))
    require_condition(b.uses, positive, source_point(operation));
  if (is_data || !fixed) return divide_data(operation, a, b);
  if (is_signed(operation) && !is_non_negative(a))
    require(a, left, operation.getParent(), isl::val::zero(context), most, source_point(operation));
  std::optional<Divided> divided = symbols_.divide(a.value, b.value, divisors());
  if (!divided) return divide_data(operation, a, b);
  Uses uses = together(a.uses, b.uses);
  if (!divided->relies_on.is_null())
    require_condition(uses, divided->relies_on, source_point(operation));
  return {is_remainder(operation) ? divided->remainder : divided->quotient, uses};
}

/// Nothing but bounds: a quotient lies between 0 and the dividend, a remainder below the divisor,
/// too.
Number Evaluator::divide_data(const BinaryOperator& operation, const Number& a, const Number& b) {
  isl::pw_aff zero = symbols_.constant(0);
  Number result = data(operation, "a division by a variable");
  const isl::pw_aff& x = result.value;
  isl::set up = a.value.ge_set(zero).intersect(x.ge_set(zero)).intersect(x.le_set(a.value));
  isl::set down = a.value.lt_set(zero).intersect(x.le_set(zero)).intersect(x.ge_set(a.value));
  bool fixed = std::ranges::all_of(model::involved_parameters(b.value),
                                   [&](auto& name) { return symbols_.is_parameter(name); });
  if (is_remainder(operation) && (fixed || !is_signed(operation))) {  // b >= 1
    up = up.intersect(x.lt_set(b.value));
    down = down.intersect(x.gt_set(b.value.neg()));
  }
  symbols_.define(x, is_signed(operation) ? up.unite(down) : up);
  result.uses = together(a.uses, b.uses);
  return result;
}

}  // namespace gridspan::analysis
