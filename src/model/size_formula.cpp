// Formulas from samples.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/size_formula.h"

#include <algorithm>

namespace gridspan::model {
namespace {

std::string signed_term(long coefficient, const std::string& name, bool is_first) {
  const long size = std::labs(coefficient);
  std::string term = size == 1 && !name.empty() ? name : std::to_string(size);
  if (size != 1 && !name.empty()) term += "*" + name;
  if (is_first) return (coefficient < 0 ? "-" : "") + term;
  return (coefficient < 0 ? " - " : " + ") + term;
}

// The launch in which `name` is changed.
std::size_t launch_of(const Experiment& experiment, const std::string& name) {
  for (std::size_t i = 0; i < experiment.terms.size(); ++i)
    if (experiment.terms[i].name == name) return i + 1;
  return 0;
}

}  // namespace

// Products first: what is left belongs to their factors.
std::optional<SizeFormula::Sum> SizeFormula::side(const RangeOf<Samples>& range,
                                                  const Experiment& experiment) {
  const auto length = [&](std::size_t i) { return range.end.in[i] - range.first.in[i]; };
  const Values& base = experiment.launches.front();
  const auto change = [&](std::size_t i, const std::string& name) {
    return experiment.launches[i].at(name) - base.at(name);
  };
  Sum sum;
  std::map<std::string, long> of_products;  // what they contribute to a factor's slope
  long number = 2 * length(0);
  const auto add = [&](const std::string& name, long halves) {
    if (halves == 0) return;
    sum.terms.emplace_back(name, halves);
    number -= halves * base.at(name);
  };
  for (std::size_t t = 0; t < experiment.terms.size(); ++t) {
    const Term& term = experiment.terms[t];
    if (!term.is_product()) continue;
    const std::string &a = term.factors[0], &b = term.factors[1];
    const long both = change(t + 1, a) * change(t + 1, b);
    const long more = length(t + 1) - length(launch_of(experiment, a)) -
                      length(launch_of(experiment, b)) + length(0);
    if (2 * more % both != 0) return std::nullopt;
    const long halves = 2 * more / both;
    add(term.name, halves);
    of_products[a] += halves * base.at(b);
    of_products[b] += halves * base.at(a);
  }
  for (std::size_t t = 0; t < experiment.terms.size(); ++t) {
    const Term& term = experiment.terms[t];
    if (term.is_product()) continue;
    const long step = change(t + 1, term.name), more = length(t + 1) - length(0);
    if (2 * more % step != 0) return std::nullopt;
    add(term.name, 2 * more / step - of_products[term.name]);
  }
  sum.constant = number;
  return sum;
}

std::optional<SizeFormula> SizeFormula::of(const std::vector<BoxOf<Samples>>& boxes,
                                           const Experiment& experiment) {
  SizeFormula formula;
  for (const BoxOf<Samples>& box : boxes) {
    std::vector<Sum> sides;
    for (const RangeOf<Samples>& range : box) {
      std::optional<Sum> sum = side(range, experiment);
      if (!sum) return std::nullopt;
      sides.push_back(std::move(*sum));
    }
    formula.boxes_.push_back(std::move(sides));
  }
  return formula;
}

bool SizeFormula::foresees(double elements, const Values& launch) const {
  double sum = 0;
  for (const std::vector<Sum>& box : boxes_) {
    double volume = 1;
    for (const Sum& side : box) {
      double halves = static_cast<double>(side.constant);
      for (const auto& [name, count] : side.terms)
        halves += static_cast<double>(count) * static_cast<double>(launch.at(name));
      volume *= halves / 2;
    }
    sum += volume;
  }
  return sum == elements;
}

// Numbers and single parameters are multiplied, sums keep their brackets.
std::string SizeFormula::text_of(const std::vector<Sum>& box, unsigned element_bytes) {
  long number = element_bytes, below = 1;
  std::string text;
  for (const Sum& side : box) {
    const bool has_halves =
        side.constant % 2 != 0 ||
        std::ranges::any_of(side.terms, [](const auto& term) { return term.second % 2 != 0; });
    const long unit = has_halves ? 1 : 2;
    below *= has_halves ? 2 : 1;
    if (side.terms.empty()) {
      number *= side.constant / unit;
    } else if (side.terms.size() == 1 && side.constant == 0) {
      number *= side.terms.front().second / unit;
      text += "*" + side.terms.front().first;
    } else {
      text += "*(";
      bool is_first = true;
      for (const auto& [name, count] : side.terms) {
        text += signed_term(count / unit, name, is_first);
        is_first = false;
      }
      if (side.constant != 0) text += signed_term(side.constant / unit, "", is_first);
      text += ")";
    }
  }
  while (below > 1 && number % 2 == 0) number /= 2, below /= 2;
  return std::to_string(number) + text + (below > 1 ? "/" + std::to_string(below) : "");
}

std::string SizeFormula::text(unsigned element_bytes) const {
  std::string text;
  for (const std::vector<Sum>& box : boxes_)
    text += (text.empty() ? "" : " + ") + text_of(box, element_bytes);
  return text;
}

}  // namespace gridspan::model
