// erf, erfc, their inverses, scaled erfc, and the normal distribution.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inverses refine an estimate with one Halley step on the C library's erf or erfc, on that side
// where the equation is well conditioned: erf for |y| <= 1/2, else erfc of the exact complement.
// The float functions are the double ones, rounded.
#include "device_library.h"

#include <cmath>

using namespace gridspan::device_library;

namespace {

constexpr double two_over_root_pi = 0x1.20dd750429b6dp+0;
constexpr double root_pi_over_two = 0x1.c5bf891b4ef6bp-1;
constexpr double one_over_root_pi = 0x1.20dd750429b6dp-1;

/// exp(x²) with x² to twice the precision.
HELPER double exp_of_square(double x) {
  double high = x * x;
  double low = __builtin_fma(x, x, -high);
  double power = __builtin_exp(high);
  return __builtin_isinf(power) ? power : __builtin_fma(power, low, power);
}

/// exp(x²) erfc(x) for x >= 2 by Laplace's continued fraction. All terms are positive, so rounding
/// errors do not grow; the number of terms for 2^-58 falls with x.
HELPER double scaled_complement(double x) {
  if (x > 1e8) return one_over_root_pi / x;
  int terms = x < 3 ? 66 : x < 4.5 ? 32 : x < 8 ? 18 : 10;
  double tail = x;
  for (int k = terms; k > 0; --k) tail = x + 0.5 * k / tail;
  return one_over_root_pi / tail;
}

/// Estimate of erfinv(y) where (1 - y)(1 + y) = product >= 5e-8, to 1e-6: M. Giles, "Approximating
/// the erfinv function", GPU Computing Gems Jade, 2011, table 5.
HELPER double estimate_inverse(double y, double product) {
  double w = -__builtin_log(product);
  if (w < 5) {
    w -= 2.5;
    constexpr double central[] = {2.81022636e-08,  3.43273939e-07, -3.5233877e-06,
                                  -4.39150654e-06, 0.00021858087,  -0.00125372503,
                                  -0.00417768164,  0.246640727,    1.50140941};
    double p = 0;
    for (double coefficient : central) p = p * w + coefficient;
    return p * y;
  }
  w = __builtin_sqrt(w) - 3;
  constexpr double outer[] = {-0.000200214257, 0.000100950558, 0.00134934322,
                              -0.00367342844,  0.00573950773,  -0.0076224613,
                              0.00943887047,   1.00167406,     2.83297682};
  double p = 0;
  for (double coefficient : outer) p = p * w + coefficient;
  return p * y;
}

/// erfinv(y) for |y| <= 1/2.
HELPER double inverse_near_zero(double y) {
  double x = estimate_inverse(y, (1 - y) * (1 + y));
  double newton = (__builtin_erf(x) - y) * root_pi_over_two * __builtin_exp(x * x);
  return x - newton / (1 + x * newton);
}

/// The x > 0 with erfc(x) = q, for 0 < q <= 1/2.
double inverse_of_complement(double q) {
  if (q > 3e-8) {
    double x = estimate_inverse(1 - q, q * (2 - q));
    double newton = (q - __builtin_erfc(x)) * root_pi_over_two * __builtin_exp(x * x);
    return x - newton / (1 + x * newton);
  }
  // Newton on ln erfc(x) = ln q, from the first terms of the asymptotic expansion.
  double logarithm = -__builtin_log(q);
  double x = logarithm - 0.57236494292470008707;  // ln(pi) / 2
  x = __builtin_sqrt(x - 0.5 * __builtin_log(x - 0.5 * __builtin_log(x)));
  for (int i = 0; i < 3; ++i) {
    double scaled = scaled_complement(x);
    double square = x * x;
    double square_low = __builtin_fma(x, x, -square);
    double excess = (logarithm - square) - square_low + __builtin_log(scaled);
    x += excess * root_pi_over_two * scaled;
  }
  return x;
}

}  // namespace

DEVICE_INLINE double __nv_erf(double x) { return __builtin_erf(x); }
DEVICE_INLINE float __nv_erff(float x) { return __builtin_erff(x); }
DEVICE_INLINE double __nv_erfc(double x) { return __builtin_erfc(x); }
DEVICE_INLINE float __nv_erfcf(float x) { return __builtin_erfcf(x); }

DEVICE_FUNCTION double __nv_erfinv(double y) {
  double magnitude = __builtin_fabs(y);
  if (magnitude <= 0.5) return y == 0 ? y : inverse_near_zero(y);
  if (!(magnitude < 1)) {
    return magnitude == 1 ? __builtin_copysign(__builtin_inf(), y) : __builtin_nan("");
  }
  return __builtin_copysign(inverse_of_complement(1 - magnitude), y);
}

DEVICE_FUNCTION double __nv_erfcinv(double q) {
  if (q >= 0.5 && q <= 1.5) return q == 1 ? 0.0 : inverse_near_zero(1 - q);
  if (q > 0 && q < 0.5) return inverse_of_complement(q);
  if (q > 1.5 && q < 2) return -inverse_of_complement(2 - q);
  return q == 0 ? __builtin_inf() : q == 2 ? -__builtin_inf() : __builtin_nan("");
}

DEVICE_FUNCTION double __nv_normcdfinv(double p) {
  constexpr double root_two = 0x1.6a09e667f3bcdp+0, root_two_low = -0x1.bdd3413b26456p-54;
  double x = -__nv_erfcinv(2 * p);
  return __builtin_isinf(x) ? x : __builtin_fma(x, root_two, x * root_two_low);
}

// erfc(-x / sqrt(2)) / 2, with the rounding error of the argument put right by the derivative.
DEVICE_FUNCTION double __nv_normcdf(double x) {
  constexpr double root_half = 0x1.6a09e667f3bcdp-1, root_half_low = -0x1.bdd3413b26456p-55;
  if (!(__builtin_fabs(x) < 39)) return x > 0 ? 1.0 : x < 0 ? 0.0 : x;
  double argument = -x * root_half;
  double error = __builtin_fma(-x, root_half, -argument) - x * root_half_low;
  double slope = two_over_root_pi * __builtin_exp(-argument * argument);
  return 0.5 * __builtin_fma(-slope, error, __builtin_erfc(argument));
}

DEVICE_FUNCTION double __nv_erfcx(double x) {
  if (x >= 2) return scaled_complement(x);
  if (x > -2) return exp_of_square(x) * __builtin_erfc(x);
  if (x < -27) return __builtin_inf();
  return is_nan(x) ? x : 2 * exp_of_square(x) - scaled_complement(-x);
}

#define ROUNDED(name) \
  DEVICE_FUNCTION float __nv_##name##f(float x) { return static_cast<float>(__nv_##name(x)); }
ROUNDED(erfinv)
ROUNDED(erfcinv)
ROUNDED(normcdfinv)
ROUNDED(erfcx)
DEVICE_FUNCTION float __nv_normcdff(float x) {
  return static_cast<float>(0.5 * __builtin_erfc(x * -0x1.6a09e667f3bcdp-1));
}
#undef ROUNDED
