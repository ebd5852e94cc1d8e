// Error functions and the normal distribution's of double.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "double_powers_of_e.h"
#include "gpu.h"

using namespace gridspan::device_library;

namespace {

#define HELPER static inline __attribute__((always_inline))

constexpr double two_over_root_pi = 0x1.20dd750429b6dp+0;

/// e^(a^2) erfc(a) for 0 <= a < 2^60: p(t) / (1 + 2 a), t = (a - 4) / (a + 4).
HELPER double scaled_complement(double a) {
  // mpmath at 50 digits, at Chebyshev's nodes; off by 2^-54.
  constexpr double series[] = {
      0x1.0967e527911a9p-30,  0x1.afe473b552685p-30,  -0x1.af097381d257bp-27,
      -0x1.1904891a069b4p-26, 0x1.cad9b27d6d663p-24,  0x1.31744dd9b56d0p-24,
      -0x1.b9339da7bf70bp-21, 0x1.400a0021a32f1p-22,  0x1.7f01a118598aep-18,
      -0x1.78a738afaf645p-17, -0x1.99551e5f87e20p-16, 0x1.3be12bafabe1fp-13,
      -0x1.a1df4a1e543bcp-13, -0x1.8d4aaa8fbedbcp-11, 0x1.49c672b9685cep-8,
      -0x1.0962386da3254p-6,  0x1.3079edf5d9d05p-5,   -0x1.0fb06dfee4790p-4,
      0x1.7fee004e16d41p-4,   -0x1.9ddb23c3e0c24p-4,  0x1.16ecefcfa5214p-4,
      0x1.f7f5df66fc17fp-7,   -0x1.1df1ad154a28ep-3,  0x1.3ba5916e9fd7fp+0};
  const double inverse = inverse_of(a + 4);
  const double near = (a - 4) * inverse;
  // What is missing from a - 4 - near * (a + 4).
  const double missing = __builtin_fma(near, -a, __builtin_fma(near + 1, -4.0, a));
  const double p = polynomial(series, __builtin_fma(inverse, missing, near));
  const double divisor = inverse_of(__builtin_fma(2, a, 1));
  const double quotient = p * divisor;
  return __builtin_fma(__builtin_fma(-2 * a, quotient, p - quotient), divisor, quotient);
}

/// e^(sign * a^2), |a| < 28.
HELPER PowerOfE power_of_square(double a, double sign) {
  const double square = a * a;
  return power_of_e(sign * square, sign * __builtin_fma(a, a, -square));
}

/// e^(-a^2) * scaled, 0 where that is less than any number.
HELPER double unscaled(double scaled, double a) {
  const auto [mantissa, exponent] = power_of_square(a, -1);
  return a > 28 ? 0 : scaled_far(scaled * mantissa, exponent);
}

}  // namespace

// 2 ulp.
DEVICE_FUNCTION double erf(double x) {
  // erf(x) / x - 1 in x^2: Sollya's fpminimax, off by 2^-55.
  constexpr double series[] = {
      -0x1.ac1a4196db6eep-31, 0x1.d73d744d5510ep-27, -0x1.5c0bc3130e03bp-23, 0x1.b9807f2338858p-20,
      -0x1.f4ca5bb2856d6p-17, 0x1.f9a2bb4bba0e4p-14, -0x1.c02db03ff6859p-11, 0x1.565bccf908894p-8,
      -0x1.b82ce311f7069p-6,  0x1.ce2f21a040b02p-4,  -0x1.812746b0379b5p-2,  0x1.06eba8214db68p-3};
  const double a = __builtin_fabs(x);
  if (a < 1) return __builtin_fma(x, polynomial(series, x * x), x);
  if (!(a < 6)) return a >= 6 ? __builtin_copysign(1.0, x) : x + x;
  const auto [mantissa, exponent] = power_of_square(a, -1);
  return __builtin_copysign(1 - scaled(scaled_complement(a) * mantissa, exponent), x);
}

// 5 ulp.
DEVICE_FUNCTION double erfc(double x) {
  const double a = __builtin_fabs(x);
  const double result = unscaled(scaled_complement(a), a);
  return x < 0 ? 2 - result : result;
}

// 4 ulp. For negative numbers 2 e^(x^2) - e^(a^2) erfc(a).
DEVICE_FUNCTION double __nv_erfcx(double x) {
  if (!(x < 0x1p60)) return 0.5 * two_over_root_pi / x;
  if (!(x > -27)) return x <= -27 ? __builtin_inf() : x + x;
  const double complement = scaled_complement(__builtin_fabs(x));
  if (x >= 0) return complement;
  const auto [mantissa, exponent] = power_of_square(x, 1);
  return scaled_far(2 * mantissa, exponent) - complement;
}

// erfc(z) / 2, z = -x / sqrt(2). Far below 0 the last bits of z count: erfc changes by
// -2 / sqrt(pi) e^(-z^2) = -2 / sqrt(pi) erfc(z) / (e^(z^2) erfc(z)).
DEVICE_FUNCTION double __nv_normcdf(double x) {
  constexpr double root_half = 0x1.6a09e667f3bcdp-1, root_half_low = -0x1.bdd3413b26456p-55;
  if (!(__builtin_fabs(x) < 39)) return x > 0 ? 1.0 : x < 0 ? 0.0 : x;
  const double z = -x * root_half;
  const double z_low = __builtin_fma(-x, root_half, -z) - x * root_half_low;
  const double complement = scaled_complement(__builtin_fabs(z));
  const double change = z_low * two_over_root_pi * __nvvm_rcp_approx_ftz_d(complement);
  const double scaled = z > 0 ? __builtin_fma(-complement, change, complement) : complement;
  const double result = unscaled(0.5 * scaled, __builtin_fabs(z));
  return z < 0 ? 1 - result : result;
}
