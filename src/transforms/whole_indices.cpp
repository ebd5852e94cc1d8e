// Multiplies sums out, and looks for digits of one number in them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/whole_indices.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

#include <optional>

namespace gridspan::transforms {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr unsigned most_terms = 16, most_depth = 12;

using Factors = SmallVector<Value*, 4>;

struct Term {
  APInt number;
  Factors factors;
};

/// A sum of products, modulo a power of two.
struct Sum {
  SmallVector<Term> terms;
  /// No operation leaves the signed numbers, nor does a number of a term: it is the sum in whole
  /// numbers.
  bool never_wraps = true;

  APInt times(const APInt& number, const APInt& other) {
    bool wraps = false;
    APInt result = number.smul_ov(other, wraps);
    never_wraps &= !wraps;
    return result;
  }
};

bool is_sum(const Value* value) {
  return match(value, m_Add(m_Value(), m_Value())) || match(value, m_Sub(m_Value(), m_Value()));
}

bool is_product(const Value* value) {
  return match(value, m_Mul(m_Value(), m_Value())) ||
         match(value, m_Shl(m_Value(), m_ConstantInt()));
}

/// False: too long.
bool add(Sum& sum, Value* value, const APInt& number, Factors factors, unsigned depth = 0) {
  if (depth > most_depth) return false;
  if (is_sum(value) || is_product(value))
    sum.never_wraps &= cast<OverflowingBinaryOperator>(value)->hasNoSignedWrap();
  Value *left = nullptr, *right = nullptr;
  const APInt* known = nullptr;
  if (match(value, m_APInt(known))) {
    sum.terms.push_back({sum.times(number, *known), std::move(factors)});
  } else if (match(value, m_Add(m_Value(left), m_Value(right)))) {
    return add(sum, left, number, factors, depth + 1) &&
           add(sum, right, number, std::move(factors), depth + 1);
  } else if (match(value, m_Sub(m_Value(left), m_Value(right)))) {
    return add(sum, left, number, factors, depth + 1) &&
           add(sum, right, sum.times(number, APInt::getAllOnes(number.getBitWidth())),
               std::move(factors), depth + 1);
  } else if (match(value, m_Shl(m_Value(left), m_APInt(known))) &&
             known->ult(number.getBitWidth())) {
    const APInt power = APInt::getOneBitSet(number.getBitWidth(), known->getZExtValue());
    return add(sum, left, sum.times(number, power), std::move(factors), depth + 1);
  } else if (match(value, m_Mul(m_Value(left), m_Value(right)))) {
    if (isa<Constant>(left) || (!isa<Constant>(right) && !is_sum(left) && !is_product(left)))
      std::swap(left, right);
    if (match(right, m_APInt(known)))
      return add(sum, left, sum.times(number, *known), std::move(factors), depth + 1);
    factors.push_back(right);
    return add(sum, left, number, std::move(factors), depth + 1);
  } else {
    factors.push_back(value);
    sum.terms.push_back({number, std::move(factors)});
  }
  return sum.terms.size() <= most_terms;
}

/// `value` is `narrow` or one widened as numbers of that sign are.
Value* narrow(Value* value, bool is_signed) {
  if (auto* widened = dyn_cast<ZExtInst>(value))
    return !is_signed || widened->hasNonNeg() ? widened->getOperand(0) : nullptr;
  if (auto* widened = dyn_cast<SExtInst>(value))
    return is_signed ? widened->getOperand(0) : nullptr;
  return nullptr;
}

// --- divisions with the results of GPUs where LLVM has none (hardware_semantics.h):
//     n == 0 ? i : i % d and n == 0 ? -1 : n == -1 ? -i : i / d, with d = n == 0 || n == -1 ? 1 : n

/// `value` is 0, or -1, where `divisor` is, and only there.
bool is_divisor_itself(Value* value, Value* divisor, bool is_for_zero) {
  Value* own = nullptr;
  return value == divisor || (match(divisor, m_SExt(m_Value(own))) && value == own) ||
         (is_for_zero && match(divisor, m_ZExt(m_Value(own))) && value == own);
}

bool asks_for_zero(Value* condition, Value* divisor) {
  Value* asked = nullptr;
  return match(condition, m_SpecificICmp(ICmpInst::ICMP_EQ, m_Value(asked), m_Zero())) &&
         is_divisor_itself(asked, divisor, true);
}

bool asks_for_minus_one(Value* condition, Value* divisor) {
  Value* asked = nullptr;
  return match(condition, m_SpecificICmp(ICmpInst::ICMP_EQ, m_Value(asked), m_AllOnes())) &&
         is_divisor_itself(asked, divisor, false);
}

bool asks_for_either(Value* condition, Value* divisor) {
  Value *one = nullptr, *other = nullptr;
  if (match(condition, m_Or(m_Value(one), m_Value(other))))
    return (asks_for_zero(one, divisor) && asks_for_minus_one(other, divisor)) ||
           (asks_for_zero(other, divisor) && asks_for_minus_one(one, divisor));
  const APInt* bound = nullptr;
  return match(condition,
               m_SpecificICmp(ICmpInst::ICMP_ULT, m_Add(m_Value(one), m_One()), m_APInt(bound))) &&
         *bound == 2 && is_divisor_itself(one, divisor, false);
}

/// What a division divides by, in place of divisors that it is guarded from.
struct Guarded {
  Value* divisor;
  bool from_zero = false, from_minus_one = false;
};

Guarded guarded(Value* safe) {
  Value *condition = nullptr, *divisor = nullptr;
  if (match(safe, m_UMax(m_Value(divisor), m_One()))) return {divisor, true, false};
  if (match(safe, m_Select(m_Value(condition), m_One(), m_Value(divisor)))) {
    if (asks_for_zero(condition, divisor)) return {divisor, true, false};
    if (asks_for_either(condition, divisor)) return {divisor, true, true};
  }
  return {safe};
}

/// dividend % divisor, perhaps widened.
struct Remainder {
  Value *dividend, *divisor;
  bool is_signed, is_wide;

  bool is_quotient(Value* value) const {
    Value* own = is_wide ? narrow(value, is_signed) : value;
    if (!own) return false;
    Value *condition = nullptr, *other = nullptr, *safe = nullptr;
    // By zero, whatever it is: it is multiplied with zero.
    const bool has_zero = match(own, m_Select(m_Value(condition), m_Value(), m_Value(other))) &&
                          asks_for_zero(condition, divisor);
    if (has_zero) own = other;
    const bool has_minus_one =
        match(own, m_Select(m_Value(condition), m_Neg(m_Specific(dividend)), m_Value(other))) &&
        asks_for_minus_one(condition, divisor);
    if (has_minus_one) own = other;
    if (is_signed ? !match(own, m_SDiv(m_Specific(dividend), m_Value(safe)))
                  : !match(own, m_UDiv(m_Specific(dividend), m_Value(safe))))
      return false;
    const Guarded by = guarded(safe);
    return by.divisor == divisor && (has_zero || !by.from_zero) &&
           (has_minus_one || !by.from_minus_one);
  }
  bool is_divisor(Value* value) const {
    return is_wide ? narrow(value, is_signed) == divisor : value == divisor;
  }
  /// As wide as the terms.
  std::optional<APInt> known_divisor(unsigned width) const {
    const APInt* known = nullptr;
    if (!match(divisor, m_APInt(known))) return std::nullopt;
    return is_signed ? known->sext(width) : known->zext(width);
  }
};

/// By -1 it is 0, as by 1.
std::optional<Remainder> remainder_itself(Value* value, bool is_signed, bool is_wide) {
  Value *condition = nullptr, *by_zero = nullptr, *other = nullptr;
  Value *dividend = nullptr, *safe = nullptr;
  const auto matches = [&](Value* one) {
    return is_signed ? match(one, m_SRem(m_Value(dividend), m_Value(safe)))
                     : match(one, m_URem(m_Value(dividend), m_Value(safe)));
  };
  if (matches(value)) return Remainder{dividend, safe, is_signed, is_wide};
  if (!match(value, m_Select(m_Value(condition), m_Value(by_zero), m_Value(other))) ||
      !matches(other) || by_zero != dividend)
    return std::nullopt;
  const Guarded by = guarded(safe);
  if (!asks_for_zero(condition, by.divisor)) return std::nullopt;
  return Remainder{dividend, by.divisor, is_signed, is_wide};
}

std::optional<Remainder> remainder(Value* value) {
  for (const bool is_signed : {false, true}) {
    if (auto found = remainder_itself(value, is_signed, false)) return found;
    Value* const own = narrow(value, is_signed);
    if (!own) continue;
    if (auto found = remainder_itself(own, is_signed, true)) return found;
  }
  return std::nullopt;
}

template <class Predicate>
bool take_one(Factors& factors, Predicate is_wanted) {
  auto* const found = find_if(factors, is_wanted);
  if (found == factors.end()) return false;
  factors.erase(found);
  return true;
}

/// `high` is the same as `low` with the quotient, times the divisor, in place of the remainder, in
/// whole numbers. `low_rest`: its other factors.
bool is_next_digit(const Remainder& digit, const Term& low, Factors low_rest, const Term& high) {
  Factors rest = high.factors;
  if (!take_one(rest, [&](Value* one) { return digit.is_quotient(one); })) return false;
  APInt number = low.number;
  if (!take_one(rest, [&](Value* one) { return digit.is_divisor(one); })) {
    const auto known = digit.known_divisor(number.getBitWidth());
    if (!known) return false;
    bool wraps = false;
    number = number.smul_ov(*known, wraps);
    if (wraps) return false;
  }
  if (number != high.number) return false;
  sort(rest);
  sort(low_rest);
  return rest == low_rest;
}

Value* widened(const Remainder& digit, Type* type, IRBuilder<>& builder) {
  if (!digit.is_wide) return digit.dividend;
  return digit.is_signed ? builder.CreateSExt(digit.dividend, type)
                         : builder.CreateZExt(digit.dividend, type);
}

/// Puts two terms together, if they are digits of one number. (Of the least number and -1, C++ does
/// not define the quotient, and widened it is another.)
bool put_together(Sum& sum, Type* type, IRBuilder<>& builder) {
  for (Term& low : sum.terms)
    for (std::size_t i = 0; i < low.factors.size(); ++i) {
      const std::optional<Remainder> digit = remainder(low.factors[i]);
      if (!digit) continue;
      Factors rest = low.factors;
      rest.erase(rest.begin() + i);
      Term* const high = find_if(sum.terms, [&](const Term& one) {
        return &one != &low && is_next_digit(*digit, low, rest, one);
      });
      if (high == sum.terms.end()) continue;
      low.factors[i] = widened(*digit, type, builder);
      sum.terms.erase(high);
      return true;
    }
  return false;
}

/// Of terms that differ in their numbers only.
void add_up(Sum& sum) {
  for (Term& term : sum.terms) sort(term.factors);
  for (std::size_t i = 0; i < sum.terms.size(); ++i)
    for (std::size_t k = sum.terms.size(); --k > i;)
      if (sum.terms[i].factors == sum.terms[k].factors) {
        bool wraps = false;
        sum.terms[i].number = sum.terms[i].number.sadd_ov(sum.terms[k].number, wraps);
        sum.never_wraps &= !wraps;
        sum.terms.erase(&sum.terms[k]);
      }
  erase_if(sum.terms, [](const Term& term) { return term.number.isZero(); });
}

Value* product(const Term& term, Type* type, const APInt& number, IRBuilder<>& builder) {
  Value* value = nullptr;
  for (Value* factor : term.factors) value = value ? builder.CreateMul(value, factor) : factor;
  if (!value) return ConstantInt::get(type, number);
  return number.isOne() ? value : builder.CreateMul(value, ConstantInt::get(type, number));
}

bool is_subtracted(const Term& term) { return !term.factors.empty() && term.number.isAllOnes(); }

/// Two terms that are there already: their sum is the whole one, and wraps only where that did.
bool keeps_promise(const Sum& sum) {
  return sum.never_wraps && sum.terms.size() == 2 &&
         all_of(sum.terms,
                [](const Term& term) {
                  return term.factors.empty() ||
                         (term.factors.size() == 1 && (term.number.isOne() || is_subtracted(term)));
                }) &&
         !all_of(sum.terms, is_subtracted);
}

Value* written(const Sum& sum, Type* type, IRBuilder<>& builder) {
  const bool never_wraps = keeps_promise(sum);
  Value* value = nullptr;
  // What is subtracted comes last.
  for (const bool comes_last : {false, true})
    for (const Term& term : sum.terms) {
      if (is_subtracted(term) != comes_last) continue;
      const APInt number = comes_last ? -term.number : term.number;
      Value* const part = product(term, type, number, builder);
      if (comes_last)
        value = builder.CreateSub(value ? value : Constant::getNullValue(type), part, "", false,
                                  never_wraps);
      else
        value = value ? builder.CreateAdd(value, part, "", false, never_wraps) : part;
    }
  return value ? value : Constant::getNullValue(type);
}

bool simplify(Instruction& whole) {
  Type* const type = whole.getType();
  Sum sum;
  if (!add(sum, &whole, APInt(type->getIntegerBitWidth(), 1), {})) return false;
  IRBuilder<> builder(&whole);
  if (!put_together(sum, type, builder)) return false;
  while (put_together(sum, type, builder)) {
  }
  add_up(sum);
  whole.replaceAllUsesWith(written(sum, type, builder));
  return true;
}

}  // namespace

bool put_indices_together(Function& function) {
  const auto is_remainder = [](Instruction& one) { return remainder(&one).has_value(); };
  if (none_of(instructions(function), is_remainder)) return false;
  SmallVector<Instruction*> sums;
  for (Instruction& one : instructions(function))
    if (is_sum(&one) && one.getType()->isIntegerTy()) sums.push_back(&one);
  SmallVector<WeakTrackingVH> gone;
  for (Instruction* sum : sums)
    if (simplify(*sum)) gone.push_back(sum);
  const bool has_changed = !gone.empty();
  RecursivelyDeleteTriviallyDeadInstructions(gone);
  return has_changed;
}

}  // namespace gridspan::transforms
