// Distance between floating-point numbers in units in the last place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace gridspan::testing {

inline std::int64_t ordered(double x) {
  auto bits = std::bit_cast<std::int64_t>(x);
  return bits < 0 ? std::numeric_limits<std::int64_t>::min() - bits : bits;
}
inline std::int64_t ordered(float x) {
  auto bits = std::bit_cast<std::int32_t>(x);
  return bits < 0 ? std::int64_t{std::numeric_limits<std::int32_t>::min()} - bits : bits;
}

/// How many representable numbers apart; 0 for two NaNs, huge for one. This is CUDA's measure: the
/// difference from the correctly rounded result.
template <class Real>
double ulp_distance(Real actual, Real expected) {
  if (std::isnan(actual) || std::isnan(expected)) {
    return std::isnan(actual) && std::isnan(expected) ? 0 : 1e30;
  }
  __extension__ using Wide = __int128;
  Wide distance = static_cast<Wide>(ordered(actual)) - ordered(expected);
  return static_cast<double>(distance < 0 ? -distance : distance);
}

/// Same bits, or both NaN.
template <class Real>
bool identical(Real a, Real b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

}  // namespace gridspan::testing
