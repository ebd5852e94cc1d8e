// Proving that values stay within their types.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/requirements.h"

#include "analysis/numbers.h"
#include "model/facts.h"

#include <algorithm>

namespace gridspan::analysis {
namespace {

/// Launches check that sizes and their products are below this, and count in 64 bits then.
constexpr int size_bits = 48;
/// Numbers beyond are about the ends of 64 bits.
constexpr int wide_bits = 60;

/// Every parameter of `set` is of a modest size.
isl::set modest_sizes(const isl::set& set, const Symbols& symbols) {
  const isl::val most = power_of_two(symbols.context(), size_bits);
  isl::set modest = symbols.universe();
  for (const std::string& name : model::involved_parameters(set)) {
    if (!symbols.is_parameter(name)) continue;
    const isl::pw_aff size = symbols.value(name);
    modest = modest.intersect(size.le_set(symbols.constant(0).add_constant(most)))
                 .intersect(size.ge_set(symbols.constant(0).add_constant(most.neg())));
  }
  return modest;
}

bool is_wide(const isl::val& number) {
  return number.abs().gt(isl::val(number.ctx(), wide_bits).pow2());
}

bool has_wide_numbers(const isl::set& condition) {
  bool wide = false;
  condition.foreach_basic_set([&](const isl::basic_set& piece) {
    model::for_each_constraint(piece, [&](isl_constraint* constraint) {
      wide = wide || is_wide(isl::manage(isl_constraint_get_constant_val(constraint)));
    });
  });
  return wide;
}

/// A condition that speaks of the ends of 64 bits can't be computed in 64 bits. That sizes are
/// modest, which every launch is held to anyway, says it as well.
isl::set computable(const isl::set& condition, const Symbols& symbols) {
  if (!has_wide_numbers(condition)) return condition;
  const isl::set facts = symbols.launch_facts(condition);
  const isl::set modest = modest_sizes(condition, symbols);
  const isl::set rest = condition.gist(modest.intersect(facts)).coalesce();
  return rest.intersect(modest.gist(facts));
}

}  // namespace

std::string condition_text(const isl::set& condition) {
  std::string text = text_of(isl::manage(isl_set_drop_unused_params(condition.copy())));
  std::size_t begin = text.find('{'), end = text.rfind('}');
  text = text.substr(begin + 1, end - begin - 1);
  while (!text.empty() && (text.front() == ' ' || text.front() == ':')) text.erase(0, 1);
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

std::vector<unsigned> AssumptionTable::assumptions_of(const Uses& uses) {
  std::set<unsigned> all;
  std::vector<unsigned> work(uses.begin(), uses.end());  // sums come after their parts: last first
  Uses seen = uses;
  while (!work.empty()) {
    unsigned requirement = work.back();
    work.pop_back();
    const Resolved& resolved = resolve(requirement);
    all.insert(resolved.assumptions.begin(), resolved.assumptions.end());
    for (unsigned other : resolved.relies_on)
      if (seen.insert(other).second) work.push_back(other);
  }
  return {all.begin(), all.end()};
}

unsigned AssumptionTable::add(const isl::set& condition, const std::string& text,
                              const model::SourcePoint& where) {
  for (unsigned i = 0; i < kernel_.assumptions.size(); ++i) {
    const model::Assumption& known = kernel_.assumptions[i];
    // One that says as much or more will do.
    if (known.kind == model::Assumption::Kind::holds &&
        known.condition.intersect(symbols_.launch_facts(known.condition)).is_subset(condition))
      return i;
  }
  model::Assumption assumption;
  assumption.kind = model::Assumption::Kind::holds;
  assumption.text = text;
  assumption.where = where;
  assumption.condition = condition;
  kernel_.assumptions.push_back(std::move(assumption));
  return static_cast<unsigned>(kernel_.assumptions.size() - 1);
}

const AssumptionTable::Resolved& AssumptionTable::resolve(unsigned requirement) {
  auto found = resolved_.find(requirement);
  if (found == resolved_.end()) {
    Requirement wanted = evaluator_.requirements()[requirement];  // the vector may grow
    found = resolved_.emplace(requirement, prove(wanted)).first;
  }
  return found->second;
}

AssumptionTable::Resolved AssumptionTable::prove(const Requirement& wanted) {
  if (!wanted.value) {
    const isl::set condition = computable(wanted.condition, symbols_);
    return {{add(condition, condition_text(condition), wanted.where)}, {}};
  }
  Number number = evaluator_.number(wanted.value);
  number.value = symbols_.without_remainders(number.value);  // i - i % n is not negative
  Condition when = evaluator_.domain(wanted.at);
  Resolved result{{}, together(number.uses, when.uses)};
  isl::pw_aff minimum = symbols_.constant(0).add_constant(wanted.minimum);
  isl::pw_aff maximum = symbols_.constant(0).add_constant(wanted.maximum);
  isl::set domain = symbols_.with_definitions(when.holds.intersect(number.value.domain()));
  // What is merely read as unsigned has no upper end but its type's (__umul24 asks for less).
  unsigned width = wanted.value->getType()->getIntegerBitWidth();
  isl::val type_end = isl::val(symbols_.context(), static_cast<long>(width) - 1).pow2().sub(1);
  bool only_low = wanted.minimum.is_zero() && wanted.maximum.eq(type_end);
  isl::set low = number.value.lt_set(minimum);
  isl::set high = only_low ? isl::set::empty(low.space()) : number.value.gt_set(maximum);
  domain = symbols_.with_definitions(domain);
  isl::set outside = symbols_.with_definitions(domain.intersect(low.unite(high)));
  isl::set facts = symbols_.facts_about(model::involved_parameters(outside));
  outside = outside.intersect(facts);
  outside = outside.intersect(symbols_.launch_facts(outside));
  if (!outside.is_empty()) {
    std::string range = wanted.minimum.is_zero() ? "a value read as unsigned is not negative"
                                                 : "index arithmetic does not wrap around";
    bool fixed = std::ranges::all_of(model::involved_parameters(number.value),
                                     [&](auto& name) { return symbols_.is_parameter(name); });
    model::OrNull<isl::set> condition;
    const isl::set modest = modest_sizes(outside, symbols_);
    if (fixed)
      condition = low.unite(high).complement();
    else if (is_wide(wanted.maximum) && outside.intersect(modest).is_empty())
      condition = modest.gist(symbols_.launch_facts(modest));
    else
      condition = symbols_.avoiding(symbols_.over_parameters(outside), domain).condition;
    if (!condition.is_null()) {
      condition = computable(condition, symbols_);
      result.assumptions.push_back(
          add(condition, range + ": " + condition_text(condition), wanted.where));
    } else {
      model::Assumption assumption;
      assumption.kind = model::Assumption::Kind::in_range;
      assumption.where = wanted.where;
      // With the bases of products: their range is what products are bounded by.
      std::vector<std::string> names = model::involved_parameters(domain);
      for (const std::string& name : model::involved_parameters(number.value))
        names.push_back(name);
      for (std::size_t i = names.size(); i-- > 0;)
        if (!symbols_.is_parameter(names[i]))
          for (const std::string& atom : symbols_[names[i]].monomial) names.push_back(atom);
      assumption.domain = domain.intersect(symbols_.facts_about(names));
      assumption.value = number.value;
      assumption.minimum = text_of(wanted.minimum);
      assumption.maximum = text_of(wanted.maximum);
      assumption.text = range + ": " + assumption.minimum + " <= " +
                        text_of(isl::manage(isl_pw_aff_drop_unused_params(number.value.copy()))) +
                        " <= " + assumption.maximum;
      kernel_.assumptions.push_back(std::move(assumption));
      result.assumptions.push_back(static_cast<unsigned>(kernel_.assumptions.size() - 1));
    }
  }
  return result;
}

}  // namespace gridspan::analysis
