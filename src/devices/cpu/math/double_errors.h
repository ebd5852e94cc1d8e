// Error functions and the normal distribution's of double.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As float_errors.h, t = (a - 4) / (a + 4); coefficients: those of the GPU's library
// (device_library/gpu/double_errors.cpp).
#pragma once

#include "devices/cpu/math/double_powers.h"

namespace gridspan::devices::cpu::math {

constexpr double two_over_root_pi = 0x1.20dd750429b6dp+0;

/// e^(a^2) erfc(a) for 0 <= a < 2^60: p(t) / (1 + 2 a).
DOUBLES F scaled_complement(F a) {
  constexpr double series[] = {
      0x1.0967e527911a9p-30,  0x1.afe473b552685p-30,  -0x1.af097381d257bp-27,
      -0x1.1904891a069b4p-26, 0x1.cad9b27d6d663p-24,  0x1.31744dd9b56d0p-24,
      -0x1.b9339da7bf70bp-21, 0x1.400a0021a32f1p-22,  0x1.7f01a118598aep-18,
      -0x1.78a738afaf645p-17, -0x1.99551e5f87e20p-16, 0x1.3be12bafabe1fp-13,
      -0x1.a1df4a1e543bcp-13, -0x1.8d4aaa8fbedbcp-11, 0x1.49c672b9685cep-8,
      -0x1.0962386da3254p-6,  0x1.3079edf5d9d05p-5,   -0x1.0fb06dfee4790p-4,
      0x1.7fee004e16d41p-4,   -0x1.9ddb23c3e0c24p-4,  0x1.16ecefcfa5214p-4,
      0x1.f7f5df66fc17fp-7,   -0x1.1df1ad154a28ep-3,  0x1.3ba5916e9fd7fp+0};
  const F inverse = 1 / (a + 4);
  const F near = (a - 4) * inverse;
  // What is missing from a - 4 - near * (a + 4).
  const F missing = fma(near, -a, fma(near + 1, -4, a));
  const F p = polynomial(series, fma(inverse, missing, near));
  const F divisor = 1 / fma(a, 2, 1);
  const F quotient = p * divisor;
  return fma(fma(-2 * a, quotient, p - quotient), divisor, quotient);
}

/// e^(sign * a^2), |a| < 28.
DOUBLES PowerOfE<F> power_of_square(F a, double sign) {
  const F square = a * a;
  return power_of_e(F(sign * square), sign * fma(a, a, -square));
}

// 2 ulp.
DOUBLES F erf(F x) {
  // erf(x) / x - 1 in x^2, off by 2^-55.
  constexpr double series[] = {
      -0x1.ac1a4196db6eep-31, 0x1.d73d744d5510ep-27, -0x1.5c0bc3130e03bp-23, 0x1.b9807f2338858p-20,
      -0x1.f4ca5bb2856d6p-17, 0x1.f9a2bb4bba0e4p-14, -0x1.c02db03ff6859p-11, 0x1.565bccf908894p-8,
      -0x1.b82ce311f7069p-6,  0x1.ce2f21a040b02p-4,  -0x1.812746b0379b5p-2,  0x1.06eba8214db68p-3};
  const F a = at_most(abs(x), 6);
  const F near = fma(x, polynomial(series, x * x), x);
  const auto [mantissa, n] = power_of_square(a, -1);
  const F far = 1 - scaled_complement(a) * mantissa * power_of_two(n);
  return select(a < 1, near, with_sign(far, x));
}

// 5 ulp.
DOUBLES F erfc(F x) {
  const F a = at_most(abs(x), 28);
  const auto [mantissa, n] = power_of_square(a, -1);
  const F result = scaled(F(scaled_complement(a) * mantissa), n);
  return select(x < 0, 2 - result, result);
}

// 4 ulp. For negative numbers 2 e^(x^2) - e^(a^2) erfc(a).
DOUBLES F erfcx(F x) {
  const F a = select(x < 0, at_most(-x, 28), x);
  const MaskOf<F> is_far = x >= 0x1p60;
  const F complement = scaled_complement(select(is_far, F(1), a));
  const F above = select(is_far, 0.5 * two_over_root_pi / x, complement);
  if (!any(x < 0)) return above;
  const auto [mantissa, n] = power_of_square(a, 1);
  return select(x < 0, scaled(F(2 * mantissa), n) - complement, above);
}

// erfc(z) / 2, z = -x / sqrt(2). Far below 0 the last bits of z count: erfc changes by
// -2 / sqrt(pi) e^(-z^2) = -2 / sqrt(pi) erfc(z) / (e^(z^2) erfc(z)).
DOUBLES F normcdf(F x) {
  constexpr double root_half = 0x1.6a09e667f3bcdp-1, root_half_low = -0x1.bdd3413b26456p-55;
  x = at_most(at_least(x, -39), 39);
  const F z = -x * root_half;
  const F z_low = fma(-x, root_half, -z) - x * root_half_low;
  const F complement = scaled_complement(abs(z));
  const F with_change = fma(z_low, -two_over_root_pi, complement);
  const F scaled_half = 0.5 * select(z > 0, with_change, complement);
  const auto [mantissa, n] = power_of_square(z, -1);
  const F result = scaled(F(scaled_half * mantissa), n);
  return select(z < 0, 1 - result, result);
}

}  // namespace gridspan::devices::cpu::math
