// What must hold for integers to be read as mathematical ones: no wrap-around, no negative value
// read as unsigned. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/evaluator.h"
#include "analysis/numbers.h"

#include <cmath>

namespace gridspan::analysis {

using namespace llvm;

void Evaluator::require(Number& number, const Value* value, const BasicBlock* at,
                        const isl::val& minimum, const isl::val& maximum,
                        const model::SourcePoint& where) {
  for (unsigned i = 0; i < requirements_.size(); ++i) {
    const Requirement& known = requirements_[i];
    if (known.value && known.value == value && known.at == at && known.minimum.eq(minimum) &&
        known.maximum.eq(maximum)) {
      number.uses.insert(i);
      return;
    }
  }
  requirements_.push_back({value, at, minimum, maximum, where, {}});
  number.uses.insert(static_cast<unsigned>(requirements_.size() - 1));
}

void Evaluator::require_condition(Uses& uses, const isl::set& condition,
                                  const model::SourcePoint& where) {
  isl::val zero = isl::val::zero(symbols_.context());
  requirements_.push_back({nullptr, nullptr, zero, zero, where, condition});
  uses.insert(static_cast<unsigned>(requirements_.size() - 1));
}

/// A bound of the signed value's magnitude from the types it was extended from.
static long double magnitude(const Value* value, unsigned depth = 0) {
  long double whole =
      std::ldexp(1.0L, static_cast<int>(value->getType()->getIntegerBitWidth()) - 1);
  if (depth > 6) return whole;
  auto of = [&](const User& user, unsigned i) { return magnitude(user.getOperand(i), depth + 1); };
  long double bound = whole;
  if (auto* constant = dyn_cast<ConstantInt>(value); constant && constant->getBitWidth() <= 64) {
    bound = std::fabs(static_cast<long double>(constant->getSExtValue()));
  } else if (auto* cast = dyn_cast<CastInst>(value); cast && is_integer(cast->getOperand(0))) {
    if (cast->getOpcode() == Instruction::SExt) bound = of(*cast, 0);
    if (cast->getOpcode() == Instruction::ZExt) bound = 2 * of(*cast, 0);
  } else if (auto* operation = dyn_cast<BinaryOperator>(value)) {
    if (operation->getOpcode() == Instruction::Mul) bound = of(*operation, 0) * of(*operation, 1);
    if (operation->getOpcode() == Instruction::Add || operation->getOpcode() == Instruction::Sub)
      bound = of(*operation, 0) + of(*operation, 1);
  }
  return std::min(bound, whole);  // a wrapped value is still one of its type
}

/// Do the operands' types leave room for every result?
static bool never_wraps(const Instruction& operation) {
  if (!isa<BinaryOperator>(operation)) return false;
  long double a = magnitude(operation.getOperand(0)), b = magnitude(operation.getOperand(1));
  long double limit =
      std::ldexp(1.0L, static_cast<int>(operation.getType()->getIntegerBitWidth()) - 1);
  switch (operation.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
      return a + b < limit;
    case Instruction::Mul:
      return a * b < limit;
    default:
      return false;
  }
}

/// The signed range of the operation's type holds the result, or that is required.
Number Evaluator::wrapped(Number number, const Instruction& operation, bool cannot_wrap) {
  if (cannot_wrap || never_wraps(operation)) return number;
  unsigned width = operation.getType()->getIntegerBitWidth();
  isl::val limit = power_of_two(symbols_.context(), width - 1);
  // No launch can promise what data are; but bytes, remainders and the like have ends.
  if (depends_on_data(number)) {
    isl::set outside = number.value.lt_set(constant_of(symbols_, limit.neg()))
                           .unite(number.value.gt_set(constant_of(symbols_, limit.sub(1))));
    return never(outside) ? number : data(operation, "arithmetic on data");
  }
  require(number, &operation, operation.getParent(), limit.neg(), limit.sub(1),
          source_point(operation));
  return number;
}

bool Evaluator::is_non_negative(const Number& number) const {
  for (const Piece& piece : pieces(number.value)) {
    std::optional<Linear> terms = linear(piece.value);
    if (!terms || terms->constant.is_neg()) return false;
    for (const auto& [name, coefficient] : terms->terms) {
      bool known = name.starts_with("gridDim_") || name.starts_with("blockDim_") ||
                   name.starts_with("blockIdx_") || name.starts_with("threadIdx_");
      const Symbol& symbol = symbols_[name];
      for (const std::string& atom : symbol.monomial)
        known = known && (atom.starts_with("gridDim_") || atom.starts_with("blockDim_") ||
                          atom.starts_with("blockIdx_") || atom.starts_with("threadIdx_"));
      if (!known || coefficient.is_neg()) return false;
    }
  }
  return true;
}

/// One symbol for one value, so that guards bound what they are about. It is the signed reading
/// where that is not negative, a large number elsewhere; `compare` says when they are the same.
Number Evaluator::unsigned_data(const Value* value, const Number& as_signed) {
  if (const Number* known = find(&Layer::unsigned_numbers, value)) return *known;
  isl::pw_aff zero = symbols_.constant(0);
  if (never(as_signed.value.lt_set(zero))) return as_signed;
  unsigned width = value->getType()->getIntegerBitWidth();
  isl::ctx context = symbols_.context();
  Number result;
  if (width <= small_type) {
    result = data_between(*value, "data read as unsigned", isl::val::zero(context),
                          power_of_two(context, width).sub(1));
  } else {
    result = data(*value, "data read as unsigned");
    const isl::pw_aff& number = result.value;
    symbols_.define(number, number.ge_set(zero).intersect(number.ge_set(as_signed.value)));
  }
  result.uses = as_signed.uses;
  layers_.back().unsigned_numbers.insert_or_assign(value, result);
  return result;
}

/// The value, if it is not negative or a launch can promise so.
std::optional<Number> Evaluator::surely_non_negative(const Value* value, const Instruction& user) {
  Number result = number(value);
  if (is_non_negative(result)) return result;
  if (depends_on_data(result)) {
    if (!never(result.value.lt_set(symbols_.constant(0)))) return std::nullopt;
    return result;
  }
  return non_negative(value, user);
}

/// The value read as unsigned.
Number Evaluator::non_negative(const Value* value, const Instruction& user) {
  Number result = number(value);
  if (is_non_negative(result)) return result;
  if (depends_on_data(result)) return unsigned_data(value, result);
  require(result, value, user.getParent(), isl::val::zero(symbols_.context()),
          power_of_two(symbols_.context(), value->getType()->getIntegerBitWidth() - 1).sub(1),
          source_point(user));
  return result;
}

}  // namespace gridspan::analysis
