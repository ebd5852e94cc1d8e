// Conditions as sets.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/evaluator.h"
#include "analysis/numbers.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/PatternMatch.h"

namespace gridspan::analysis {

using namespace llvm;

namespace {
constexpr unsigned max_basic_sets = 24;  // of one condition
}

Condition Evaluator::condition(const Value* value) {
  if (const Condition* known = find(&Layer::conditions, value)) return *known;
  Condition result = within_limits(*value, [&] { return evaluate_condition(value); });
  layers_.back().conditions.insert_or_assign(value, result);
  return result;
}

Condition Evaluator::within_limits(const Value& value, const std::function<Condition()>& evaluate) {
  Condition result;
  if (!steps_.run([&] { result = evaluate(); }))
    return unknown_condition(value, too_complex_condition);
  if (result.holds.n_basic_set() > max_basic_sets)
    return unknown_condition(value, "a condition of too many cases");
  return result;
}

/// A condition on data is a symbol that is 0 or 1; so "taken" and "not taken" stay disjoint.
Condition Evaluator::unknown_condition(const Value& value, const std::string& text) {
  auto* instruction = dyn_cast<Instruction>(&value);
  model::SourcePoint where = instruction ? source_point(*instruction) : model::SourcePoint{};
  const Loop* scope = instruction ? loop_of(instruction->getParent()) : nullptr;
  return unknown_condition(text, where, scope);
}

Condition Evaluator::unknown_condition(const std::string& text, const model::SourcePoint& where,
                                       const Loop* scope) {
  isl::val zero = isl::val::zero(symbols_.context());
  std::string name = symbols_.bounded_data(text, where, scope, zero, zero.add(1));
  return {symbols_.value(name).ge_set(symbols_.constant(1)), {}};
}

Condition Evaluator::evaluate_condition(const Value* value) {
  using namespace PatternMatch;
  if (auto* constant = dyn_cast<ConstantInt>(value))
    return {constant->isZero() ? isl::set::empty(symbols_.universe().space()) : symbols_.universe(),
            {}};
  const Value *a, *b, *c;
  if (match(value, m_Not(m_Value(a)))) {
    Condition inner = condition(a);
    return {inner.holds.complement(), inner.uses};
  }
  if (match(value, m_LogicalAnd(m_Value(a), m_Value(b))))
    return join(Instruction::And, condition(a), condition(b));
  if (match(value, m_LogicalOr(m_Value(a), m_Value(b))))
    return join(Instruction::Or, condition(a), condition(b));
  if (match(value, m_Xor(m_Value(a), m_Value(b))))
    return join(Instruction::Xor, condition(a), condition(b));
  if (match(value, m_Select(m_Value(c), m_Value(a), m_Value(b))))
    return choose(condition(c), condition(a), condition(b));
  if (auto* comparison = dyn_cast<ICmpInst>(value)) return compare(*comparison);
  if (auto* low = dyn_cast<TruncInst>(value); low && is_integer(low->getOperand(0)))
    return lowest_bit(low->getOperand(0));  // a bool kept in a byte
  if (auto* phi = dyn_cast<PHINode>(value)) return merge_condition(*phi);
  if (auto* frozen = dyn_cast<FreezeInst>(value)) return condition(frozen->getOperand(0));
  if (const Value* part = part_of_struct(value)) return condition(part);
  if (auto* call = dyn_cast<CallInst>(value))
    if (call->getIntrinsicID() == Intrinsic::expect) return condition(call->getArgOperand(0));
  if (isa<FCmpInst>(value)) return unknown_condition(*value, "a comparison of floating-point data");
  return unknown_condition(*value, "a condition on data");
}

Condition Evaluator::compare(const ICmpInst& comparison) {
  const Value *left = comparison.getOperand(0), *right = comparison.getOperand(1);
  if (left->getType()->isPointerTy()) return compare_pointers(comparison);
  if (std::optional<Condition> flag = compare_flag(comparison)) return *flag;
  auto* type = dyn_cast<IntegerType>(left->getType());
  if (!type || type->getBitWidth() > 64)
    return unknown_condition(comparison, "a comparison that is not followed");
  bool is_unsigned = comparison.isUnsigned();
  Number a = is_unsigned ? non_negative(left, comparison) : number(left);
  Number b = is_unsigned ? non_negative(right, comparison) : number(right);
  Condition result = compare_numbers(comparison, a, b);
  bool data_left = depends_on_data(a), data_right = depends_on_data(b);
  if (!is_unsigned || data_left == data_right) return result;
  // What data are compared with is no larger than a signed number. So is data below it, which is
  // the same then whether read as signed or as unsigned.
  isl::pw_aff limit =
      constant_of(symbols_, power_of_two(symbols_.context(), type->getBitWidth() - 1));
  isl::pw_aff data = (data_left ? a : b).value, as_signed = number(data_left ? left : right).value;
  isl::set small = data.lt_set(limit);
  CmpInst::Predicate predicate = comparison.getPredicate();
  bool is_less = predicate == CmpInst::ICMP_ULT || predicate == CmpInst::ICMP_ULE;
  if (is_less == data_left)
    result.holds = result.holds.intersect(small).intersect(data.eq_set(as_signed));
  else
    result.holds = either(result.holds, small.complement());
  return result;
}

/// Pointers into one array compare like their offsets.
Condition Evaluator::compare_pointers(const ICmpInst& comparison) {
  std::vector<Target> a = targets(comparison.getOperand(0)), b = targets(comparison.getOperand(1));
  bool same = a.size() == 1 && b.size() == 1 && a[0].base == b[0].base &&
              (a[0].base.kind == Base::Kind::argument || a[0].base.kind == Base::Kind::variable ||
               a[0].base.kind == Base::Kind::phi);
  if (!same) return unknown_condition(comparison, "a comparison of pointers");
  return compare_numbers(comparison, a[0].offset, b[0].offset);
}

Condition Evaluator::compare_numbers(const ICmpInst& comparison, const Number& a, const Number& b) {
  Uses uses = together(a.uses, b.uses);
  switch (comparison.getPredicate()) {
    case CmpInst::ICMP_EQ:
      return {a.value.eq_set(b.value), uses};
    case CmpInst::ICMP_NE:
      return {a.value.ne_set(b.value), uses};
    case CmpInst::ICMP_SLT:
    case CmpInst::ICMP_ULT:
      return {a.value.lt_set(b.value), uses};
    case CmpInst::ICMP_SLE:
    case CmpInst::ICMP_ULE:
      return {a.value.le_set(b.value), uses};
    case CmpInst::ICMP_SGT:
    case CmpInst::ICMP_UGT:
      return {a.value.gt_set(b.value), uses};
    case CmpInst::ICMP_SGE:
    case CmpInst::ICMP_UGE:
      return {a.value.ge_set(b.value), uses};
    default:
      return unknown_condition(comparison, "a comparison that is not followed");
  }
}

/// Short-circuit && and || arrive as phis of i1.
Condition Evaluator::merge_condition(const PHINode& phi) {
  const BasicBlock* block = phi.getParent();
  const Loop* loop = loop_of(block);
  if (loop && loop->getHeader() == block)
    return unknown_condition(phi, "a flag carried around a loop");
  const BasicBlock* start = before_merge(block);
  isl::set holds = isl::set::empty(symbols_.universe().space());
  Uses uses;
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    const BasicBlock* from = phi.getIncomingBlock(i);
    const Loop* inner = loop_of(from);
    if (inner && !inner->contains(block)) {
      if (inner->getParentLoop() != loop || phi.getNumIncomingValues() > 1 || layers_.size() > 1)
        return unknown_condition(phi, "a flag set in a loop");
      Condition last = condition(phi.getIncomingValue(i));
      last.uses = together(last.uses, leave(inner, from, block));
      last.holds = symbols_.at_exit(symbols_.with_definitions(last.holds), inner, from);
      return last;
    }
    if (auto* constant = dyn_cast<ConstantInt>(phi.getIncomingValue(i));
        constant && constant->isZero())
      continue;
    Condition when = through(phi.getIncomingBlock(i), block, start);
    Condition value = condition(phi.getIncomingValue(i));
    holds = either(holds, when.holds.intersect(value.holds));
    uses = together(uses, together(when.uses, value.uses));
  }
  // The paths that bring false decide it, too.
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
    uses = together(uses, through(phi.getIncomingBlock(i), block, start).uses);
  return {holds, uses};
}

}  // namespace gridspan::analysis
