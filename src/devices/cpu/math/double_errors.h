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

// Below 1/2 x + x p(x^2), above 1 - 2^-q(a): as floats' erf. 2 ulp.
DOUBLES F erf(F x) {
  // q(a) = -log2(erfc(a)) up to 6: Remez' algorithm, so that erf is off by 2^-55.
  constexpr double outer[] = {
      0x1.b0f03d18ec34fp-43,  -0x1.122a800c96f16p-37, 0x1.3c4c096270cb9p-33,
      -0x1.b29dd66654592p-30, 0x1.8103e62ba0063p-27,  -0x1.a940289f17b70p-25,
      0x1.7c68422826a5cp-24,  0x1.0efcf94897caap-21,  -0x1.5c3343dac48c7p-18,
      0x1.9e11e6471a310p-16,  -0x1.3ae0707cd91fep-14, 0x1.1a00cea8efe74p-13,
      -0x1.61d09f7763781p-18, -0x1.abfec2dbfbd6dp-11, 0x1.3dbfe1b960560p-9,
      -0x1.3035bbefb6a7bp-12, -0x1.c43754ec2f8e0p-6,  0x1.2fa89f6479753p-3,
      0x1.d63ece772523ap-1,   0x1.a0be84645cd96p+0,   -0x1.00b42fd3c880ap-29};
  // erf(x) / x - 1 in x^2: Remez' algorithm, off by 2^-55.
  constexpr double inner[] = {0x1.831daf202e126p-20,  -0x1.f123b86dbeafep-17, 0x1.f980e63a8f59fp-14,
                              -0x1.c02cfaba1410ep-11, 0x1.565bcac376155p-8,   -0x1.b82ce30a64efep-6,
                              0x1.ce2f21a0344b7p-4,   -0x1.812746b037949p-2,  0x1.06eba8214db68p-3};
  const F a = abs(x);
  const F q = polynomial(outer, at_most(a, 6));
  const Rounded<F> n = rounded(F(-q));
  const F far = 1 - power_near_zero(F(-q - n.number)) * power_of_two(n);
  const F near = fma(x, polynomial(inner, F(x * x)), x);
  return select(a < 0.5, near, with_sign(far, x));
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
