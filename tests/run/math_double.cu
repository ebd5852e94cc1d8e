// Functions of one double: errors within the bounds of the CUDA Programming Guide.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Math functions | C99 and CUDA functions of one double (sin, exp, log, erf, tgamma, sinpi, rsqrt, ...) within CUDA's error bounds
#include "math_check.h"

using namespace math_check;

void test_powers_and_logarithms() {
  TEST_FUNCTION(double, rsqrt, ref_rsqrt, 1e-300, 1e300, 1);
  TEST_FUNCTION(double, cbrt, cbrtl, -1e300, 1e300, 1);
  TEST_FUNCTION(double, rcbrt, ref_rcbrt, 1e-300, 1e300, 1);
  TEST_FUNCTION(double, sqrt, sqrtl, 0, 1e300, 1);
  TEST_FUNCTION(double, exp, expl, -745, 709.78, 1);
  TEST_FUNCTION(double, exp2, exp2l, -1074, 1023.9, 1);
  TEST_FUNCTION(double, exp10, ref_exp10, -323, 308.25, 1);
  TEST_FUNCTION(double, expm1, expm1l, -50, 709.78, 1);
  TEST_FUNCTION(double, log, logl, 1e-308, 1e308, 1);
  TEST_FUNCTION(double, log2, log2l, 1e-308, 1e308, 1);
  TEST_FUNCTION(double, log10, log10l, 1e-308, 1e308, 1);
  TEST_FUNCTION(double, log1p, log1pl, -0.999999, 1e308, 1);
}

void test_angles() {
  TEST_FUNCTION(double, sin, sinl, -1e6, 1e6, 2);
  TEST_FUNCTION(double, cos, cosl, -1e6, 1e6, 2);
  TEST_FUNCTION(double, tan, tanl, -1e6, 1e6, 2);
  TEST_FUNCTION(double, sinpi, ref_sinpi, -1e6, 1e6, 2);
  TEST_FUNCTION(double, cospi, ref_cospi, -1e6, 1e6, 2);
  TEST_FUNCTION(double, asin, asinl, -1, 1, 2);
  TEST_FUNCTION(double, acos, acosl, -1, 1, 2);
  TEST_FUNCTION(double, atan, atanl, -1e300, 1e300, 2);
  TEST_FUNCTION(double, sinh, sinhl, -710, 710, 2);
  TEST_FUNCTION(double, cosh, coshl, -710, 710, 1);
  TEST_FUNCTION(double, tanh, tanhl, -25, 25, 1);
  TEST_FUNCTION(double, asinh, asinhl, -1e300, 1e300, 3);
  TEST_FUNCTION(double, acosh, acoshl, 1, 1e300, 3);
  TEST_FUNCTION(double, atanh, atanhl, -1, 1, 2);
}

void test_special() {
  TEST_FUNCTION(double, erf, erfl, -7, 7, 2);
  TEST_FUNCTION(double, erfc, erfcl, -7, 26, 5);
  TEST_FUNCTION(double, tgamma, tgammal, 0.1, 170, 10);
  TEST_FUNCTION(double, lgamma, ref_lgamma, 0, 1e300, 4);
}

void test_rounding() {
  TEST_FUNCTION(double, floor, floorl, -1e300, 1e300, 0);
  TEST_FUNCTION(double, ceil, ceill, -1e300, 1e300, 0);
  TEST_FUNCTION(double, trunc, truncl, -1e300, 1e300, 0);
  TEST_FUNCTION(double, round, roundl, -1e300, 1e300, 0);
  TEST_FUNCTION(double, rint, rintl, -1e300, 1e300, 0);
  TEST_FUNCTION(double, nearbyint, nearbyintl, -1e300, 1e300, 0);
  TEST_FUNCTION(double, fabs, fabsl, -1e300, 1e300, 0);
  TEST_FUNCTION(double, logb, logbl, -1e300, 1e300, 0);
}

int main() {
  test_powers_and_logarithms();
  test_angles();
  test_special();
  test_rounding();
  return check::finish();
}
