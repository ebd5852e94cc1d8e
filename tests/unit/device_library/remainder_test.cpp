// fmod, remainder and remquo, which are exact, against the C library's.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "inputs.h"
#include "libdevice.h"
#include "ulp.h"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace gridspan::testing;

template <class Real>
struct Functions {
  Real (*fmod)(Real, Real);
  Real (*remainder)(Real, Real);
  Real (*remquo)(Real, Real, int*);
};
constexpr Functions<float> of(float) { return {__nv_fmodf, __nv_remainderf, __nv_remquof}; }
constexpr Functions<double> of(double) { return {__nv_fmod, __nv_remainder, __nv_remquo}; }

template <class Real>
void check(Real x, Real y) {
  const Functions<Real> ours = of(Real());
  int bits = 0, expected_bits = 0;
  ASSERT_TRUE(identical(ours.fmod(x, y), std::fmod(x, y))) << std::hexfloat << x << ", " << y;
  ASSERT_TRUE(identical(ours.remainder(x, y), std::remainder(x, y)))
      << std::hexfloat << x << ", " << y;
  const Real expected = std::remquo(x, y, &expected_bits);
  ASSERT_TRUE(identical(ours.remquo(x, y, &bits), expected)) << std::hexfloat << x << ", " << y;
  if (!std::isnan(expected)) ASSERT_EQ(bits, expected_bits) << std::hexfloat << x << ", " << y;
}

/// Of all magnitudes, near each other, and with quotients about half an integer.
template <class Real>
Real divisor(std::mt19937_64& random, Real x) {
  const auto small = static_cast<Real>(1 + random() % 4096);
  switch (random() % 4) {
    case 0:
      return random_bits<Real>(random);
    case 1:
      return x / small;
    case 2:
      return 2 * x / (2 * small + 1);
    default:
      return std::ldexp(random_bits<Real>(random), -static_cast<int>(random() % 64));
  }
}

template <class Real>
void check_all() {
  for (const Real x : special_values<Real>())
    for (const Real y : special_values<Real>()) check(x, y);
  std::mt19937_64 random(31);
  const Real least_normal = std::numeric_limits<Real>::min();
  for (int i = 0; i < 500000; ++i) {
    Real x = random_bits<Real>(random);
    if (i % 4 == 0) x = std::fmod(x, least_normal * 64);  // many subnormal numbers
    check(x, divisor(random, x));
  }
}

TEST(Remainders, Float) { check_all<float>(); }
TEST(Remainders, Double) { check_all<double>(); }

}  // namespace
