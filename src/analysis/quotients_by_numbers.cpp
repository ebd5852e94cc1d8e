// Quotients by numbers: threadIdx.x / 32 and threadIdx.x % 32, and others if they are multiplied.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// isl knows floor(i / 32), but not its product with n. So the quotient gets a name: a dimension q
// like the counter of a loop, of which 32*q <= i < 32*q + 32 is known, and n*q is a product
// dimension as any other. Warps and lanes have names wherever they are: in terms of one dimension
// the images of row q, columns i - 32*q + 32*k are boxes, and in terms of two that are equal, one
// of them known to isl alone, isl does not see it.
#include "analysis/monomials.h"

#include <algorithm>

namespace gridspan::analysis {

static bool is_thread_index(const std::string& atom) { return atom.starts_with("threadIdx_"); }

isl::pw_aff Symbols::quotient(const isl::pw_aff& value, const isl::val& by) {
  if (!is_thread_rank(value)) return value.scale_down(by).floor();
  return this->value(division(value, {by, {}}).quotient);
}

isl::pw_aff Symbols::remainder(const isl::pw_aff& value, const isl::val& by) {
  if (!is_thread_rank(value)) return value.mod(by);
  return this->value(division(value, {by, {}}).remainder);
}

/// Is it a position among the threads of a block?
bool Symbols::is_thread_rank(const isl::pw_aff& value) const {
  const std::optional<Linear> sum = only_linear(value);
  return sum && !sum->terms.empty() && !sum->constant.is_neg() &&
         std::ranges::all_of(sum->terms, [&](const auto& term) {
           const Monomial& atoms = symbols_.at(term.first).monomial;
           return !term.second.is_neg() && std::ranges::any_of(atoms, is_thread_index) &&
                  std::ranges::all_of(atoms, [](const std::string& atom) {
                    return is_thread_index(atom) || atom.starts_with("blockDim_");
                  });
         });
}

/// A sum that is linear but for quotients, with names for these. Not if one is subtracted: then it
/// is part of a remainder, which is better named as a whole; nor if one may be negative.
std::optional<Linear> Symbols::linear_with_quotients(const isl::aff& value) {
  const int quotients = isl_aff_dim(value.get(), isl_dim_div);
  isl::aff rest = value;
  std::vector<std::pair<isl::aff, isl::val>> found;
  for (int i = 0; i < quotients; ++i) {
    const isl::val times = isl::manage(isl_aff_get_coefficient_val(value.get(), isl_dim_div, i));
    if (times.is_zero()) continue;
    isl::aff dividend = isl::manage(isl_aff_get_div(value.get(), i));
    if (!times.is_int() || times.is_neg() || !can_be_quotient(isl::pw_aff(dividend)))
      return std::nullopt;
    rest = rest.sub(dividend.floor().scale(times));
    found.emplace_back(dividend, times);
  }
  std::optional<Linear> result = linear(rest);
  if (!result) return std::nullopt;
  for (const auto& [exact, times] : found) {
    const isl::val divisor = isl::manage(isl_aff_get_denominator_val(exact.get()));
    result->terms[division(isl::pw_aff(exact.scale(divisor)), {divisor, {}}).quotient] = times;
  }
  return result;
}

/// Dimensions are never negative.
bool Symbols::can_be_quotient(const isl::pw_aff& dividend) const {
  const std::vector<std::string> involved = model::involved_parameters(dividend);
  if (std::ranges::all_of(involved, [&](auto& name) { return is_parameter(name); })) return false;
  return never(dividend.floor().lt_set(constant(0)));
}

std::string Symbols::whole_count(const isl::pw_aff& count, const isl::pw_aff& threads,
                                 const isl::val& times, const isl::val& divisor) {
  const std::string text = text_of(isl::manage(isl_pw_aff_drop_unused_params(count.copy())));
  if (auto known = whole_counts_.find(text); known != whole_counts_.end())
    return known->second.name;
  // By its name it is taken for an extent of the launch, not for one of an array.
  const std::string name = expression(count, text, "blockDim_by_" + text_of(divisor));
  const isl::pw_aff dividend = threads.scale(times);
  symbols_.at(name).definition = value(name).scale(divisor).eq_set(dividend);
  whole_counts_.emplace(text, WholeCount{name, dividend, divisor});
  return name;
}

/// i < 32*e => floor(i / 32) < e. It follows, but not from linear constraints alone: said in so
/// many words it keeps images simple.
isl::set Symbols::below_counts(isl::set set) const {
  if (divisions_.empty() || whole_counts_.empty()) return set;
  const std::vector<std::string> involved = model::involved_parameters(set);
  const auto is_involved = [&](const std::string& name) {
    return std::ranges::find(involved, name) != involved.end();
  };
  for (const auto& [text, count] : whole_counts_)
    for (const Division& division : divisions_) {
      if (!is_involved(count.name) || !is_involved(division.quotient)) continue;
      if (!division.divisor.atoms.empty() || !division.divisor.number.eq(count.divisor)) continue;
      const auto [known, is_new] = is_below_.try_emplace({division.quotient, count.name}, false);
      if (is_new) known->second = never(division.dividend.ge_set(count.dividend));
      if (known->second) set = set.intersect(value(division.quotient).lt_set(value(count.name)));
    }
  return set;
}

}  // namespace gridspan::analysis
