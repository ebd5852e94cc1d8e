// Functions of one float: errors within the bounds of the CUDA Programming Guide.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Math functions | C99 and CUDA functions of one float (sinf, expf, logf, erff, tgammaf, sinpif, rsqrtf, ...) within CUDA's error bounds
// FEATURE: Math functions | fast approximations (__sinf, __expf, __logf, __powf, __fdividef, ...)
#include "math_check.h"

using namespace math_check;

void test_powers_and_logarithms() {
  TEST_FUNCTION(float, rsqrtf, ref_rsqrt, 1e-37, 1e38, 2);
  TEST_FUNCTION(float, cbrtf, cbrtl, -1e38, 1e38, 1);
  TEST_FUNCTION(float, rcbrtf, ref_rcbrt, 1e-37, 1e38, 1);
  TEST_FUNCTION(float, sqrtf, sqrtl, 0, 1e38, 0);
  TEST_FUNCTION(float, expf, expl, -103, 88.7, 2);
  TEST_FUNCTION(float, exp2f, exp2l, -149, 127.9, 2);
  TEST_FUNCTION(float, exp10f, ref_exp10, -45, 38.5, 2);
  TEST_FUNCTION(float, expm1f, expm1l, -50, 88.7, 1);
  TEST_FUNCTION(float, logf, logl, 1e-37, 1e38, 1);
  TEST_FUNCTION(float, log2f, log2l, 1e-37, 1e38, 1);
  TEST_FUNCTION(float, log10f, log10l, 1e-37, 1e38, 2);
  TEST_FUNCTION(float, log1pf, log1pl, -0.9999, 1e38, 1);
}

void test_angles() {
  TEST_FUNCTION(float, sinf, sinl, -1e5, 1e5, 2);
  TEST_FUNCTION(float, cosf, cosl, -1e5, 1e5, 2);
  TEST_FUNCTION(float, tanf, tanl, -1e5, 1e5, 4);
  TEST_FUNCTION(float, sinpif, ref_sinpi, -1e5, 1e5, 1);
  TEST_FUNCTION(float, cospif, ref_cospi, -1e5, 1e5, 1);
  TEST_FUNCTION(float, asinf, asinl, -1, 1, 2);
  TEST_FUNCTION(float, acosf, acosl, -1, 1, 2);
  TEST_FUNCTION(float, atanf, atanl, -1e30, 1e30, 2);
  TEST_FUNCTION(float, sinhf, sinhl, -89, 89, 3);
  TEST_FUNCTION(float, coshf, coshl, -89, 89, 2);
  TEST_FUNCTION(float, tanhf, tanhl, -25, 25, 2);
  TEST_FUNCTION(float, asinhf, asinhl, -1e30, 1e30, 3);
  TEST_FUNCTION(float, acoshf, acoshl, 1, 1e30, 4);
  TEST_FUNCTION(float, atanhf, atanhl, -1, 1, 3);
}

void test_special() {
  TEST_FUNCTION(float, erff, erfl, -7, 7, 2);
  TEST_FUNCTION(float, erfcf, erfcl, -7, 10, 4);
  TEST_FUNCTION(float, tgammaf, tgammal, 0.1, 34, 5);
  TEST_FUNCTION(float, lgammaf, ref_lgamma, 0, 1e30, 6);
}

void test_rounding() {
  TEST_FUNCTION(float, floorf, floorl, -1e30, 1e30, 0);
  TEST_FUNCTION(float, ceilf, ceill, -1e30, 1e30, 0);
  TEST_FUNCTION(float, truncf, truncl, -1e30, 1e30, 0);
  TEST_FUNCTION(float, roundf, roundl, -1e30, 1e30, 0);
  TEST_FUNCTION(float, rintf, rintl, -1e30, 1e30, 0);
  TEST_FUNCTION(float, nearbyintf, nearbyintl, -1e30, 1e30, 0);
  TEST_FUNCTION(float, fabsf, fabsl, -1e30, 1e30, 0);
  TEST_FUNCTION(float, logbf, logbl, -1e30, 1e30, 0);
}

void test_approximations() {
  TEST_FUNCTION(float, __sinf, sinl, -3.14, 3.14, 2);
  TEST_FUNCTION(float, __cosf, cosl, -3.14, 3.14, 2);
  TEST_FUNCTION(float, __tanf, tanl, -1.5, 1.5, 4);
  TEST_FUNCTION(float, __expf, expl, -87, 88, 2);
  TEST_FUNCTION(float, __exp10f, ref_exp10, -37, 38, 2);
  TEST_FUNCTION(float, __logf, logl, 1e-37, 1e38, 2);
  TEST_FUNCTION(float, __log2f, log2l, 1e-37, 1e38, 2);
  TEST_FUNCTION(float, __log10f, log10l, 1e-37, 1e38, 2);
}

// The C++ overloads for float give the float function.
void test_overloads() {
  TEST_FUNCTION(float, sin, sinl, -100, 100, 2);
  TEST_FUNCTION(float, std::exp, expl, -87, 88, 2);
  TEST_FUNCTION(float, rsqrt, ref_rsqrt, 1e-37, 1e38, 2);
  TEST_FUNCTION(float, sinpi, ref_sinpi, -100, 100, 1);
  TEST_FUNCTION(float, cbrt, cbrtl, -1e38, 1e38, 1);
}

int main() {
  test_powers_and_logarithms();
  test_angles();
  test_special();
  test_rounding();
  test_approximations();
  test_overloads();
  return check::finish();
}
