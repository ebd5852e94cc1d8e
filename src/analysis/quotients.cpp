// Quotients and remainders by what only the launch knows: i / width, i % width.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// q = floor(i / n) is not linear, but n*q is a product (products.cpp) and n*q <= i < n*q + n says
// which. So q is a dimension like the counter of a loop: `for (q = 0;; ++q) if (n*q <= i && i <
// n*q + n) access;` touches just what the access does. The remainder r = i - n*q has a name of its
// own, so that products with it are dimensions as well (transposed: a[r*h + q]). Where the dividend
// is fixed for the launch, too (a chunk for each thread: (n + threads - 1) / threads), so are both:
// then they are parameters.
//
// What was taken apart and put together again, n*q + r, is i (recombination.cpp). What is divided
// without its remainder is not divided: (i - r) / n is q. By a product of which a part divides
// elsewhere is divided in steps, floor(i / (w*h)) = floor(floor(i / w) / h), so that (i / w) % h
// and i / (w*h) belong together.
#include "analysis/monomials.h"

#include <algorithm>

namespace gridspan::analysis {

/// A number times a product of parameters; sums are given a name.
std::optional<Symbols::Divisor> Symbols::divisor(const isl::pw_aff& value) {
  std::vector<std::string> involved = model::involved_parameters(value);
  if (involved.empty() ||
      !std::ranges::all_of(involved, [&](auto& name) { return is_parameter(name); }))
    return std::nullopt;
  std::optional<Linear> terms = only_linear(value);
  if (terms && terms->terms.size() == 1 && terms->constant.is_zero() &&
      terms->terms.begin()->second.is_pos())
    return Divisor{terms->terms.begin()->second, symbols_.at(terms->terms.begin()->first).monomial};
  return Divisor{isl::val::one(context_), symbols_.at(defined(value)).monomial};
}

Monomial Symbols::factors(const isl::pw_aff& value) {
  std::optional<Divisor> result = divisor(value);
  return result && result->number.is_one() ? result->atoms : Monomial{};
}

isl::pw_aff Symbols::value_of(const Divisor& divisor) {
  if (divisor.atoms.empty()) return constant(0).add_constant(divisor.number);
  return value(product(divisor.atoms)).scale(divisor.number);
}

std::optional<Divided> Symbols::divide(const isl::pw_aff& dividend, const isl::pw_aff& by,
                                       const std::vector<Monomial>& divisors) {
  std::optional<Divisor> divisor = this->divisor(by);
  if (!divisor) return std::nullopt;
  std::optional<Linear> terms = only_linear(dividend);
  return divide(terms ? without_remainders(dividend) : value(defined(dividend)), *divisor,
                divisors);
}

Divided Symbols::divide(const isl::pw_aff& dividend, const Divisor& divisor,
                        const std::vector<Monomial>& divisors) {
  if (std::optional<Divided> known = whole_multiple(dividend, divisor)) return *known;
  const Monomial* step = nullptr;
  for (const Monomial& other : divisors)
    if (divisor.number.is_one() && other.size() < divisor.atoms.size() &&
        std::ranges::includes(divisor.atoms, other) && (!step || other.size() > step->size()))
      step = &other;
  isl::val one = isl::val::one(context_);
  if (step) {
    Divided first = divide(dividend, Divisor{one, *step}, divisors);
    Divided second = divide(first.quotient, Divisor{one, without(divisor.atoms, *step)}, divisors);
    isl::set positive = value(product(*step)).ge_set(constant(1));
    for (const Divided& part : {first, second})
      if (!part.relies_on.is_null()) positive = positive.intersect(part.relies_on);
    return {second.quotient, multiply(second.remainder, value(product(*step))).add(first.remainder),
            positive};
  }
  const Division& division = this->division(dividend, divisor);
  return {value(division.quotient), value(division.remainder), {}};
}

/// (n*b + r) / n where r is a remainder by n, or nothing.
std::optional<Divided> Symbols::whole_multiple(const isl::pw_aff& dividend,
                                               const Divisor& divisor) {
  std::optional<Linear> terms = only_linear(dividend);
  if (!terms || !terms->constant.is_zero()) return std::nullopt;
  isl::pw_aff quotient = constant(0), remainder = constant(0);
  bool has_remainder = false;
  for (const auto& [name, coefficient] : terms->terms) {
    const Monomial& atoms = symbols_.at(name).monomial;
    isl::val steps = coefficient.div(divisor.number);
    if (steps.is_int() && std::ranges::includes(atoms, divisor.atoms)) {
      Monomial rest = without(atoms, divisor.atoms);
      quotient = quotient.add((rest.empty() ? constant(1) : value(product(rest))).scale(steps));
      continue;
    }
    bool is_remainder = std::ranges::any_of(divisions_, [&](const Division& known) {
      return known.remainder == name && known.divisor.atoms == divisor.atoms &&
             known.divisor.number.eq(divisor.number);
    });
    if (!is_remainder || has_remainder || !coefficient.is_one()) return std::nullopt;
    has_remainder = true;
    remainder = value(name);
  }
  return Divided{quotient, remainder, {}};
}

/// Of two values that are fixed for the launch.
std::string Symbols::quotient(const isl::pw_aff& dividend, const isl::pw_aff& divisor) {
  auto name_of = [&](const isl::pw_aff& value) {
    std::optional<Linear> terms = only_linear(value);
    bool is_symbol = terms && terms->terms.size() == 1 && terms->constant.is_zero() &&
                     terms->terms.begin()->second.is_one();
    return is_symbol ? terms->terms.begin()->first : defined(value);
  };
  model::Parameter parameter;
  parameter.kind = model::Parameter::Kind::quotient;
  parameter.factors = {name_of(dividend), name_of(divisor)};
  parameter.name = fresh("q");
  const std::string name = add_parameter(parameter);
  kernel_.context = kernel_.context.intersect(value(name).ge_set(constant(0)));
  return name;
}

const Symbols::Division& Symbols::division(const isl::pw_aff& dividend, const Divisor& divisor) {
  std::string text = text_of(isl::manage(isl_pw_aff_drop_unused_params(dividend.copy())));
  for (const Division& known : divisions_)
    if (known.text == text && known.divisor.atoms == divisor.atoms &&
        known.divisor.number.eq(divisor.number))
      return known;
  const llvm::Loop* scope = nullptr;
  for (const std::string& part : model::involved_parameters(dividend))
    if (const llvm::Loop* loop = symbols_.at(part).scope; loop && (!scope || scope->contains(loop)))
      scope = loop;
  const bool fixed = std::ranges::all_of(model::involved_parameters(dividend),
                                         [&](auto& name) { return is_parameter(name); });
  auto dimension = [&](const char* hint) {
    model::Dimension added;
    added.name = fresh(hint);
    added.kind = model::Dimension::Kind::loop;
    kernel_.dimensions.push_back(added);
    return add({added.name, Symbol::Kind::dimension, {}, scope, {}, {}, {}}).name;
  };
  isl::pw_aff n = value_of(divisor);
  Division next{text, dividend, divisor, fixed ? quotient(dividend, n) : dimension("q"), ""};
  isl::pw_aff q = value(next.quotient);
  isl::pw_aff multiple = value(product(with(divisor.atoms, {next.quotient}))).scale(divisor.number);
  next.remainder = fixed ? defined(dividend.sub(multiple)) : dimension("r");
  isl::pw_aff r = value(next.remainder);
  isl::set zero_or_more = q.ge_set(constant(0)).intersect(q.le_set(dividend));
  symbols_.at(next.quotient).definition = multiple.le_set(dividend)
                                              .intersect(dividend.lt_set(multiple.add(n)))
                                              .intersect(n.ge_set(constant(1)))
                                              .intersect(zero_or_more);
  symbols_.at(next.remainder).definition =
      r.eq_set(dividend.sub(multiple)).intersect(r.ge_set(constant(0))).intersect(r.lt_set(n));
  divisions_.push_back(next);
  return divisions_.back();
}

/// i < n*m => floor(i / n) < m, for the products that the set speaks of.
isl::set Symbols::with_quotients(isl::set set) const {
  // Of the first dividend, by the product of all divisors.
  auto in_one_step = [&](Division division) {
    std::optional<Linear> terms = only_linear(division.dividend);
    for (std::size_t i = divisions_.size(); i-- > 0 && terms;) {
      const Division& before = divisions_[i];
      if (terms->terms.size() != 1 || !terms->constant.is_zero() ||
          terms->terms.begin()->first != before.quotient || !terms->terms.begin()->second.is_one())
        continue;
      division.divisor.number = division.divisor.number.mul(before.divisor.number);
      division.divisor.atoms = with(division.divisor.atoms, before.divisor.atoms);
      division.dividend = before.dividend;
      terms = only_linear(division.dividend);
    }
    return division;
  };
  for (const Division& step : divisions_) {
    std::vector<std::string> involved = model::involved_parameters(set);
    if (std::ranges::find(involved, step.quotient) == involved.end()) continue;
    Division whole = in_one_step(step);
    if (!whole.divisor.number.is_one()) continue;
    for (const model::Parameter& bound : kernel_.parameters) {
      if (bound.kind != model::Parameter::Kind::product || !symbols_.contains(bound.name)) continue;
      if (std::ranges::find(involved, bound.name) == involved.end()) continue;
      const Monomial& atoms = symbols_.at(bound.name).monomial;
      if (!std::ranges::includes(atoms, whole.divisor.atoms)) continue;
      Monomial rest = without(atoms, whole.divisor.atoms);
      auto product = products_.find(rest);
      if (rest.size() != 1 && (product == products_.end() || product->second.empty())) continue;
      isl::pw_aff extent = value(rest.size() == 1 ? rest[0] : product->second);
      if (set.intersect(whole.dividend.ge_set(value(bound.name))).is_empty())
        set = set.intersect(value(step.quotient).lt_set(extent));
    }
  }
  return set;
}

}  // namespace gridspan::analysis
