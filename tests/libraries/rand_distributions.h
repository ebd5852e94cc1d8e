// Whether numbers have a distribution.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "library_check.h"

#include <algorithm>
#include <cmath>
#include <vector>

/// Chi-squared of values in `bins` parts of one probability, by their distribution function.
/// `is_even`: of a sequence that is more even than random ones.
template <typename Number, typename Distribution>
void check_distribution(const char* name, const std::vector<Number>& values,
                        Distribution distribution, bool is_even = false) {
  constexpr int bins = 64;
  std::vector<double> found(bins);
  bool in_range = true;
  for (const Number value : values) {
    const double p = distribution(static_cast<double>(value));
    in_range &= p >= 0 && p <= 1;
    ++found[std::min(bins - 1, std::max(0, static_cast<int>(p * bins)))];
  }
  double chi_squared = 0;
  const double expected = static_cast<double>(values.size()) / bins;
  for (const double count : found)
    chi_squared += (count - expected) * (count - expected) / expected;
  // 63 degrees of freedom: one seed of a million is beyond 132, one of a million below 22.
  if (!EXPECT(in_range && chi_squared < 132 && (is_even ? chi_squared < 22 : chi_squared > 22)))
    std::printf("  %s: chi squared %g\n", name, chi_squared);
}

/// The same of whole numbers, whose probabilities differ.
inline void check_poisson(const char* name, const std::vector<unsigned int>& values, double mean,
                          bool is_even = false) {
  std::vector<double> found(static_cast<std::size_t>(mean + 20 * std::sqrt(mean) + 20));
  bool in_range = true;
  for (const unsigned int value : values) {
    in_range &= value < found.size();
    if (value < found.size()) ++found[value];
  }
  double chi_squared = 0, expected = 0, seen = 0;
  int parts = 0;
  for (std::size_t k = 0; k < found.size(); ++k) {  // neighbours together until there are enough
    expected += static_cast<double>(values.size()) *
                std::exp(static_cast<double>(k) * std::log(mean) - mean -
                         std::lgamma(static_cast<double>(k) + 1));
    seen += found[k];
    if (expected < 20) continue;
    chi_squared += (seen - expected) * (seen - expected) / expected;
    expected = seen = 0;
    ++parts;
  }
  const double deviations = (chi_squared - parts) / std::sqrt(2.0 * parts);
  if (!EXPECT(in_range && deviations < (is_even ? 0 : 5) && (is_even || deviations > -5)))
    std::printf("  %s of mean %g: %g deviations\n", name, mean, deviations);
}

inline double normal_distribution(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }
