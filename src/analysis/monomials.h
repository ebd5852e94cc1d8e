// Products as lists of factors, and values of one expression.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "analysis/symbols.h"

#include <algorithm>

namespace gridspan::analysis {

/// The factors of `all` but for those of `some`, which are among them.
inline Monomial without(const Monomial& all, const Monomial& some) {
  Monomial rest;
  std::ranges::set_difference(all, some, std::back_inserter(rest));
  return rest;
}

inline Monomial with(Monomial all, const Monomial& more) {
  all.insert(all.end(), more.begin(), more.end());
  std::ranges::sort(all);
  return all;
}

/// The one expression that `value` is, if it is one.
inline std::optional<Linear> only_linear(const isl::pw_aff& value) {
  std::vector<Piece> all = pieces(value);
  if (all.size() != 1) return std::nullopt;
  return linear(all[0].value);
}

}  // namespace gridspan::analysis
