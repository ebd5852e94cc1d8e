// Polynomials.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fusion/formula.h"

#include "model/factors.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace gridspan::fusion {
namespace {

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.10g", value);
  return text;
}

}  // namespace

Formula::Terms Formula::side(const model::SizeFormula::Sum& sum, const model::Kernel& kernel) {
  Terms terms;
  if (sum.constant != 0) terms[{}] = static_cast<double>(sum.constant) / 2;
  for (const auto& [name, halves] : sum.terms)
    terms[model::elementary_factors(kernel, {name})] += static_cast<double>(halves) / 2;
  return terms;
}

void Formula::add(const model::SizeFormula& size, unsigned element_bytes,
                  const model::Kernel& kernel) {
  for (const auto& box : size.boxes()) {
    Terms volume = {{{}, static_cast<double>(element_bytes)}};
    for (const auto& sum : box) {
      Terms next;
      for (const auto& [one, factor] : volume) {
        for (const auto& [other, times] : side(sum, kernel)) {
          Monomial both = one;
          both.insert(both.end(), other.begin(), other.end());
          std::ranges::sort(both);
          next[both] += factor * times;
        }
      }
      volume = std::move(next);
    }
    for (const auto& [monomial, factor] : volume) terms_[monomial] += factor;
  }
  std::erase_if(terms_, [](const auto& term) { return term.second == 0; });
}

Formula& Formula::operator+=(const Formula& other) {
  for (const auto& [monomial, factor] : other.terms_) terms_[monomial] += factor;
  std::erase_if(terms_, [](const auto& term) { return term.second == 0; });
  return *this;
}

bool Formula::is_of(const std::set<std::string>& parameters) const {
  return std::ranges::all_of(terms_, [&](const auto& term) {
    return std::ranges::all_of(term.first,
                               [&](const std::string& name) { return parameters.contains(name); });
  });
}

double Formula::at(const model::Values& launch) const {
  double sum = 0;
  for (const auto& [monomial, factor] : terms_) {
    double value = factor;
    for (const std::string& name : monomial) value *= static_cast<double>(launch.at(name));
    sum += value;
  }
  return sum;
}

/// Whether another term has all its parameters, and more: then that one grows faster.
bool Formula::is_led(const Monomial& monomial) const {
  return std::ranges::any_of(terms_, [&](const auto& term) {
    return term.first.size() > monomial.size() && std::ranges::includes(term.first, monomial);
  });
}

std::string Formula::text(const Spelled& spelled) const {
  std::string text;
  for (const auto& [monomial, factor] : terms_) {
    if (is_led(monomial)) continue;
    if (!text.empty()) text += factor < 0 ? " - " : " + ";
    text += number(text.empty() ? factor : std::fabs(factor));
    for (const std::string& name : monomial) text += "*" + spelled(name);
  }
  return text.empty() ? "0" : text;
}

}  // namespace gridspan::fusion
