// Sums in which a quotient and its remainder meet again (quotients.cpp).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/monomials.h"

namespace gridspan::analysis {

isl::pw_aff Symbols::recombined(const isl::pw_aff& whole) {
  if (divisions_.empty()) return whole;
  std::vector<Piece> all = pieces(whole);
  if (all.size() == 1) return recombined(whole, all[0].value);
  model::OrNull<isl::pw_aff> result;
  for (const Piece& piece : all) {
    isl::pw_aff part =
        recombined(isl::pw_aff(piece.value).intersect_domain(piece.domain), piece.value);
    result = result.is_null() ? part : result.union_add(part);
  }
  return result.is_null() ? whole : result;
}

isl::pw_aff Symbols::recombined(isl::pw_aff value, const isl::aff& expression) {
  std::optional<Linear> terms = linear(expression);
  for (bool more = terms.has_value(); more;) {
    more = false;
    for (std::size_t i = divisions_.size(); i-- > 0 && !more;) {
      std::optional<isl::pw_aff> simpler = put_together(value, *terms, divisions_[i]);
      if (!simpler) simpler = recognise_remainder(value, *terms, divisions_[i]);
      if (!simpler) continue;
      std::optional<Linear> next = only_linear(*simpler);
      if (!next) return *simpler;
      value = *simpler;
      terms = next;
      more = true;
    }
  }
  return value;
}

/// The symbol that a product has been given, if it has.
std::optional<std::string> Symbols::known_product(const Monomial& atoms) const {
  if (atoms.size() == 1) return atoms[0];
  const auto found = products_.find(atoms);
  if (found == products_.end() || found->second.empty()) return std::nullopt;
  return found->second;
}

/// c*(n*q + r)*x is c*i*x.
std::optional<isl::pw_aff> Symbols::put_together(const isl::pw_aff& sum, const Linear& terms,
                                                 const Division& division) {
  for (const auto& [name, coefficient] : terms.terms) {
    const Monomial atoms = symbols_.at(name).monomial;
    if (std::ranges::find(atoms, division.remainder) == atoms.end()) continue;
    Monomial rest = without(atoms, {division.remainder});
    auto partner = known_product(with(with(rest, division.divisor.atoms), {division.quotient}));
    if (!partner) continue;
    auto other = terms.terms.find(*partner);
    if (other == terms.terms.end() || !other->second.eq(coefficient.mul(division.divisor.number)))
      continue;
    isl::pw_aff whole = rest.empty() ? isl::pw_aff(division.dividend)
                                     : multiply(division.dividend, value(product(rest)));
    return sum.sub(value(name).scale(coefficient))
        .sub(value(other->first).scale(other->second))
        .add(whole.scale(coefficient));
  }
  return std::nullopt;
}

/// With n*q for i - r, as often as there is one: each time has fewer terms.
isl::pw_aff Symbols::without_remainders(isl::pw_aff dividend) {
  for (bool more = true; more;) {
    more = false;
    const std::optional<Linear> terms = only_linear(dividend);
    for (std::size_t i = divisions_.size(); terms && i-- > 0 && !more;) {
      const std::optional<isl::pw_aff> simpler =
          take_remainder_off(dividend, *terms, divisions_[i]);
      if (!simpler) continue;
      dividend = *simpler;
      more = true;
    }
  }
  return dividend;
}

/// c*(i - r)*x is c*n*q*x.
std::optional<isl::pw_aff> Symbols::take_remainder_off(const isl::pw_aff& sum, const Linear& terms,
                                                       const Division& division) {
  const Linear dividend = *only_linear(division.dividend);
  for (const auto& [name, coefficient] : terms.terms) {
    const Monomial atoms = symbols_.at(name).monomial;
    if (std::ranges::find(atoms, division.remainder) == atoms.end()) continue;
    const Monomial rest = without(atoms, {division.remainder});
    const isl::val times = coefficient.neg();
    const bool has_dividend = std::ranges::all_of(dividend.terms, [&](const auto& part) {
      const auto product = known_product(with(rest, symbols_.at(part.first).monomial));
      if (!product) return false;
      const auto here = terms.terms.find(*product);
      return here != terms.terms.end() && here->second.eq(part.second.mul(times));
    });
    if (!has_dividend || !(rest.empty() || dividend.constant.is_zero())) continue;
    const isl::pw_aff multiple =
        value(product(with(with(rest, division.divisor.atoms), {division.quotient})))
            .scale(division.divisor.number);
    isl::pw_aff gone = isl::pw_aff(division.dividend);
    if (!rest.empty()) gone = multiply(gone, value(product(rest)));
    return sum.sub(gone.scale(times))
        .sub(value(name).scale(coefficient))
        .add(multiple.scale(times));
  }
  return std::nullopt;
}

/// i - n*q is r.
std::optional<isl::pw_aff> Symbols::recognise_remainder(const isl::pw_aff& sum, const Linear& terms,
                                                        const Division& division) {
  const std::optional<std::string> multiple =
      known_product(with(division.divisor.atoms, {division.quotient}));
  if (!multiple) return std::nullopt;
  auto negative = terms.terms.find(*multiple);
  if (negative == terms.terms.end() || !negative->second.is_neg()) return std::nullopt;
  isl::val times = negative->second.neg().div(division.divisor.number);
  if (!times.is_int()) return std::nullopt;
  std::optional<Linear> dividend = only_linear(division.dividend);
  for (const auto& [name, coefficient] : dividend->terms) {
    auto here = terms.terms.find(name);
    if (here == terms.terms.end() || !here->second.eq(coefficient.mul(times))) return std::nullopt;
  }
  isl::pw_aff gone =
      isl::pw_aff(division.dividend).sub(value(*multiple).scale(division.divisor.number));
  return sum.sub(gone.scale(times)).add(value(division.remainder).scale(times));
}

}  // namespace gridspan::analysis
