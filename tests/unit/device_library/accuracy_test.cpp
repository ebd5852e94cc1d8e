// The device library against long double: errors within what the CUDA Programming Guide states.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "inputs.h"
#include "libdevice.h"
#include "ulp.h"

#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>
#include <cstdio>
#include <vector>

namespace {

using namespace gridspan::testing;
using Long = long double;

constexpr Long pi = 3.14159265358979323846264338327950288L;

template <class Real>
struct Unary {
  const char* name;
  Real (*function)(Real);
  Long (*reference)(Long);
  Real low, high;  // where `bound` holds
  double bound;    // ulp, CUDA Programming Guide
};

template <class Real>
void PrintTo(const Unary<Real>& unary, std::ostream* out) {
  *out << unary.name;
}

Long exp10_long(Long x) { return powl(10, x); }
Long rsqrt_long(Long x) { return 1 / sqrtl(x); }
Long rcbrt_long(Long x) { return 1 / cbrtl(x); }
Long sinpi_long(Long x) {
  Long r = x - 2 * rintl(x / 2), n = rintl(2 * r), f = r - n / 2;
  Long s = sinl(pi * f), c = cosl(pi * f);
  int quarter = static_cast<int>(n) & 3;
  return quarter == 0 ? s : quarter == 1 ? c : quarter == 2 ? -s : -c;
}
Long cospi_long(Long x) {
  Long r = x - 2 * rintl(x / 2), n = rintl(2 * r), f = r - n / 2;
  Long s = sinl(pi * f), c = cosl(pi * f);
  int quarter = static_cast<int>(n) & 3;
  return quarter == 0 ? c : quarter == 1 ? -s : quarter == 2 ? -c : s;
}
Long lgamma_long(Long x) {
  int sign;
  return lgammal_r(x, &sign);
}

#define D(name, low, high, bound) \
  Unary<double> { #name, __nv_##name, name##l, low, high, bound }
#define F(name, low, high, bound) \
  Unary<float> { #name "f", __nv_##name##f, name##l, low, high, bound }
#define OWN_D(name, low, high, bound) \
  Unary<double> { #name, __nv_##name, name##_long, low, high, bound }
#define OWN_F(name, low, high, bound) \
  Unary<float> { #name "f", __nv_##name##f, name##_long, low, high, bound }

const Unary<double> double_functions[] = {
    OWN_D(rsqrt, DBL_MIN, DBL_MAX, 1),
    D(cbrt, -DBL_MAX, DBL_MAX, 1),
    OWN_D(rcbrt, DBL_MIN, DBL_MAX, 1),
    D(exp, -745, 709.78, 1),
    D(exp2, -1074, 1023.9, 1),
    OWN_D(exp10, -323, 308.25, 1),
    D(expm1, -50, 709.78, 1),
    D(log, DBL_MIN, DBL_MAX, 1),
    D(log2, DBL_MIN, DBL_MAX, 1),
    D(log10, DBL_MIN, DBL_MAX, 1),
    D(log10, 0.5, 2, 1),
    D(log1p, -0.999999, DBL_MAX, 1),
    D(sin, -1e6, 1e6, 2),
    D(cos, -1e6, 1e6, 2),
    D(tan, -1e6, 1e6, 2),
    OWN_D(sinpi, -1e6, 1e6, 2),
    OWN_D(cospi, -1e6, 1e6, 2),
    D(asin, -1, 1, 2),
    D(acos, -1, 1, 2),
    D(atan, -1e300, 1e300, 2),
    D(sinh, -710, 710, 2),
    D(cosh, -710, 710, 1),
    D(tanh, -25, 25, 1),
    D(asinh, -1e300, 1e300, 3),
    D(acosh, 1, 1e300, 3),
    D(atanh, -1, 1, 2),
    D(erf, -7, 7, 2),
    D(erfc, -7, 26, 5),
    D(tgamma, -170, 171, 10),
    D(tgamma, -20, 20, 10),
    D(tgamma, 170, 171.6, 10),
    OWN_D(lgamma, -2.26, 1e300, 4),
    OWN_D(lgamma, 0, 20, 4),
};
const Unary<float> float_functions[] = {
    F(sqrt, 0, FLT_MAX, 0),
    OWN_F(rsqrt, FLT_MIN, FLT_MAX, 2),
    F(cbrt, -FLT_MAX, FLT_MAX, 1),
    OWN_F(rcbrt, FLT_MIN, FLT_MAX, 1),
    F(exp, -103, 88.7F, 2),
    F(exp2, -149, 127.9F, 2),
    OWN_F(exp10, -45, 38.5F, 2),
    F(expm1, -50, 88.7F, 1),
    F(log, FLT_MIN, FLT_MAX, 1),
    F(log2, FLT_MIN, FLT_MAX, 1),
    F(log10, FLT_MIN, FLT_MAX, 2),
    F(log1p, -0.9999F, FLT_MAX, 1),
    F(sin, -1e5F, 1e5F, 2),
    F(cos, -1e5F, 1e5F, 2),
    F(tan, -1e5F, 1e5F, 4),
    F(sin, -FLT_MAX, FLT_MAX, 2),
    F(cos, -FLT_MAX, FLT_MAX, 2),
    F(tan, -FLT_MAX, FLT_MAX, 4),
    F(sin, 1e5F, FLT_MAX, 2),
    F(tan, 1e5F, FLT_MAX, 4),
    OWN_F(sinpi, -1e5F, 1e5F, 1),
    OWN_F(cospi, -1e5F, 1e5F, 1),
    F(asin, -1, 1, 2),
    F(acos, -1, 1, 2),
    F(atan, -1e30F, 1e30F, 2),
    F(sinh, -89, 89, 3),
    F(cosh, -89, 89, 2),
    F(tanh, -25, 25, 2),
    F(asinh, -1e30F, 1e30F, 3),
    F(acosh, 1, 1e30F, 4),
    F(atanh, -1, 1, 3),
    F(erf, -7, 7, 2),
    F(erfc, -7, 10, 4),
    F(tgamma, -33, 35, 5),
    OWN_F(lgamma, -2.26F, 1e30F, 6),
};

template <class Real>
void check(const Unary<Real>& unary) {
  std::mt19937_64 random(12345);
  double worst = 0;
  Real where = 0;
  for (int i = 0; i < 200000; ++i) {
    Real x = random_in(random, unary.low, unary.high);
    Real expected = static_cast<Real>(unary.reference(x));
    double distance = ulp_distance(unary.function(x), expected);
    if (distance > worst) {
      worst = distance;
      where = x;
    }
  }
  std::printf("%-8s %g ulp (allowed %g)\n", unary.name, worst, unary.bound);
  EXPECT_LE(worst, unary.bound) << unary.name << " at " << std::hexfloat << where << ": "
                                << unary.function(where);
  for (Real x : special_values<Real>()) {
    Real expected = static_cast<Real>(unary.reference(x));
    Real actual = unary.function(x);
    if (std::isfinite(expected) && expected != 0) {
      if (x < unary.low || x > unary.high) continue;
      EXPECT_LE(ulp_distance(actual, expected), unary.bound) << unary.name << " at " << x;
    } else {
      EXPECT_TRUE(identical(actual, expected) || (expected == 0 && actual == 0))
          << unary.name << " at " << x << ": " << actual << ", expected " << expected;
    }
  }
}

class DoubleAccuracy : public ::testing::TestWithParam<Unary<double>> {};
class FloatAccuracy : public ::testing::TestWithParam<Unary<float>> {};
TEST_P(DoubleAccuracy, StaysWithinCudasBound) { check(GetParam()); }
TEST_P(FloatAccuracy, StaysWithinCudasBound) { check(GetParam()); }
INSTANTIATE_TEST_SUITE_P(All, DoubleAccuracy, ::testing::ValuesIn(double_functions));
INSTANTIATE_TEST_SUITE_P(All, FloatAccuracy, ::testing::ValuesIn(float_functions));

template <class Real>
struct Binary {
  const char* name;
  Real (*function)(Real, Real);
  Long (*reference)(Long, Long);
  Real low, high;
  double bound;
};
Long rhypot_long(Long a, Long b) { return 1 / hypotl(a, b); }

template <class Real>
void check(const Binary<Real>& binary) {
  std::mt19937_64 random(54321);
  double worst = 0;
  for (int i = 0; i < 200000; ++i) {
    Real a = random_in(random, binary.low, binary.high);
    Real b = random_in(random, binary.low, binary.high);
    Real expected = static_cast<Real>(binary.reference(a, b));
    double distance = ulp_distance(binary.function(a, b), expected);
    if (!std::isfinite(expected)) distance = std::isinf(binary.function(a, b)) ? 0 : 1e30;
    worst = std::fmax(worst, distance);
    ASSERT_LE(distance, binary.bound) << binary.name << '(' << a << ", " << b << ')';
  }
  std::printf("%-8s %g ulp (allowed %g)\n", binary.name, worst, binary.bound);
}

TEST(Accuracy, FunctionsOfTwoArguments) {
  check<double>({"pow", __nv_pow, powl, 1e-3, 700, 2});
  check<float>({"powf", __nv_powf, powl, 1e-3F, 80, 4});
  check<double>({"atan2", __nv_atan2, atan2l, -1e10, 1e10, 2});
  check<float>({"atan2f", __nv_atan2f, atan2l, -1e10F, 1e10F, 3});
  check<double>({"hypot", __nv_hypot, hypotl, -1e300, 1e300, 2});
  check<float>({"hypotf", __nv_hypotf, hypotl, -1e38F, 1e38F, 3});
  check<double>({"rhypot", __nv_rhypot, rhypot_long, -1e300, 1e300, 1});
  check<float>({"rhypotf", __nv_rhypotf, rhypot_long, -1e38F, 1e38F, 2});
  check<double>({"fmod", __nv_fmod, fmodl, -1e10, 1e10, 0});
  check<float>({"fmodf", __nv_fmodf, fmodl, -1e10F, 1e10F, 0});
  check<double>({"remainder", __nv_remainder, remainderl, -1e10, 1e10, 0});
}

TEST(Accuracy, NormsOfThreeAndFour) {
  std::mt19937_64 random(99);
  for (double range : {1e-320, 1e-200, 1e-3, 1e5, 1e200, 1e307}) {
    for (int i = 0; i < 20000; ++i) {
      double v[5];
      Long sum = 0;
      for (double& x : v) x = random_in(random, -range, range);
      for (int k = 0; k < 3; ++k) sum += static_cast<Long>(v[k]) * v[k];
      ASSERT_LE(ulp_distance(__nv_norm3d(v[0], v[1], v[2]), double(sqrtl(sum))), 1);
      ASSERT_LE(ulp_distance(__nv_rnorm3d(v[0], v[1], v[2]), double(1 / sqrtl(sum))), 1);
      sum += static_cast<Long>(v[3]) * v[3];
      ASSERT_LE(ulp_distance(__nv_norm4d(v[0], v[1], v[2], v[3]), double(sqrtl(sum))), 1);
      ASSERT_LE(ulp_distance(__nv_rnorm4d(v[0], v[1], v[2], v[3]), double(1 / sqrtl(sum))), 1);
      sum += static_cast<Long>(v[4]) * v[4];
      ASSERT_LE(ulp_distance(__nv_norm(5, v), double(sqrtl(sum))), 1);
      ASSERT_LE(ulp_distance(__nv_rnorm(5, v), double(1 / sqrtl(sum))), 1);
    }
  }
  double infinity = HUGE_VAL, undefined = std::nan("");
  EXPECT_EQ(__nv_norm3d(infinity, undefined, 0), infinity);
  EXPECT_EQ(__nv_rnorm3d(1, undefined, -infinity), 0);
  EXPECT_TRUE(std::isnan(__nv_norm4d(1, undefined, 0, 3)));
  EXPECT_EQ(__nv_norm3df(HUGE_VALF, std::nanf(""), 0), HUGE_VALF);
  EXPECT_EQ(__nv_norm3df(3e38F, 3e38F, 0), HUGE_VALF);
  EXPECT_EQ(__nv_norm4df(2, 2, 2, 2), 4);
  EXPECT_EQ(__nv_rnorm4df(2, 2, 2, 2), 0.25F);
  EXPECT_EQ(__nv_norm(0, nullptr), 0);
  EXPECT_EQ(__nv_rnorm(0, nullptr), infinity);
}

TEST(Accuracy, PowersOfTenAreExact) {
  double power = 1;
  for (int k = 0; k <= 22; ++k, power *= 10) {
    EXPECT_EQ(__nv_exp10(k), power) << k;
    EXPECT_EQ(__nv_log10(power), k);
  }
  EXPECT_EQ(__nv_cbrt(27.0), 3);
  EXPECT_EQ(__nv_cbrt(-1e300), -1e100);
  EXPECT_EQ(__nv_powi(2.0, 10), 1024);
  EXPECT_EQ(__nv_powi(2.0, -2), 0.25);
  EXPECT_EQ(__nv_powif(3.0F, 0), 1);
  EXPECT_EQ(__nv_sinpi(1e15 + 0.5), 1);
  EXPECT_EQ(__nv_cospif(1048577.0F), -1);
}

}  // namespace
