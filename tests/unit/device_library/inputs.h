// Arguments for tests of numeric functions: special values and random numbers of all magnitudes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace gridspan::testing {

template <class Real>
std::vector<Real> special_values() {
  using Limits = std::numeric_limits<Real>;
  std::vector<Real> positive = {0,
                                Limits::denorm_min(),
                                Limits::denorm_min() * 3,
                                Limits::min() / 2,
                                std::nextafter(Limits::min(), Real{0}),
                                Limits::min(),
                                Limits::epsilon(),
                                Real(0.5),
                                std::nextafter(Real{1}, Real{0}),
                                1,
                                std::nextafter(Real{1}, Real{2}),
                                Real(1.5),
                                2,
                                Real(2.5),
                                3,
                                10,
                                1 / Limits::epsilon(),
                                2 / Limits::epsilon() + 2,
                                std::sqrt(Limits::max()),
                                Limits::max() / 2,
                                std::nextafter(Limits::max(), Real{0}),
                                Limits::max(),
                                Limits::infinity()};
  std::vector<Real> all = positive;
  for (Real x : positive) all.push_back(-x);
  all.push_back(Limits::quiet_NaN());
  return all;
}

/// Any bit pattern.
template <class Real>
Real random_bits(std::mt19937_64& random) {
  if constexpr (std::is_same_v<Real, float>) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(random()));
  } else {
    return std::bit_cast<double>(static_cast<std::uint64_t>(random()));
  }
}

/// In turn uniform in [low, high] and of random magnitude within it.
template <class Real>
Real random_in(std::mt19937_64& random, Real low, Real high) {
  double unit = static_cast<double>(random() >> 11) * 0x1p-53;
  if (random() & 1) {
    return static_cast<Real>(low + (static_cast<long double>(high) - low) * unit);
  }
  double largest =
      std::fmax(std::fabs(static_cast<double>(low)), std::fabs(static_cast<double>(high)));
  double smallest = low > 0 ? low : high < 0 ? -high : largest * 1e-12;
  Real magnitude =
      static_cast<Real>(std::exp(std::log(smallest) + unit * std::log(largest / smallest)));
  if (high < 0 || (low < 0 && (random() & 1))) magnitude = -magnitude;
  return magnitude < low ? low : magnitude > high ? high : magnitude;
}

}  // namespace gridspan::testing
