// Error functions and the normal distribution's of float.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// e^(a^2) erfc(a) is close to 1 / (1 + 2 a) times a polynomial in (a - 2) / (a + 2) (M. M. Shepherd
// and J. G. Laframboise, Chebyshev approximation of (1 + 2x) exp(x^2) erfc x, 1981). Coefficients:
// those of the GPU's library (device_library/gpu/float_errors.cpp).
#pragma once

#include "devices/cpu/math/float_powers.h"

namespace gridspan::devices::cpu::math {

/// e^(a^2) erfc(a) for 0 <= a < 2^40.
FLOATS F scaled_complement(F a) {
  // Chebyshev's nodes, off by 2^-25.
  constexpr float series[] = {0x1.1d8722p-14F, 0x1.514e80p-13F, -0x1.84f256p-12F, -0x1.6de6e4p-10F,
                              0x1.4291acp-10F, 0x1.1cbabcp-7F,  -0x1.06f464p-7F,  -0x1.bc1accp-5F,
                              0x1.4ff9b6p-3F,  -0x1.54081cp-3F, -0x1.7bf5eap-4F,  0x1.46e80ep+0F};
  const F inverse = 1 / (a + 2);
  const F near = (a - 2) * inverse;
  // What is missing from a - 2 - near * (a + 2).
  const F missing = fma(near, -a, fma(near + 1, -2, a));
  const F p = polynomial(series, fma(inverse, missing, near));
  const F divisor = 1 / fma(a, 2, 1);
  const F quotient = p * divisor;
  return fma(fma(-2 * a, quotient, p - quotient), divisor, quotient);
}

/// a^2 / ln(2) in two parts.
template <class F>
struct Exponent {
  F high, low;
};
FLOATS Exponent<F> exponent_of_square(F a) {
  constexpr float log2_e = 0x1.715476p+0F, log2_e_low = 0x1.4ae0c0p-26F;
  const F square = a * a, square_low = fma(a, a, -square);
  const F high = square * log2_e;
  const F low = fma(square, log2_e, -high);
  return {high, fma(square, log2_e_low, fma(square_low, log2_e, low))};
}

// Below 0.85 x + x p(x^2), above 1 - 2^-q(a). 2 ulp.
FLOATS F erf(F x) {
  // q(a) = -log2(erfc(a)) up to 4, so that erf is off by 2^-26.
  constexpr float outer[] = {-0x1.3d19a4p-19F, 0x1.169c68p-14F, -0x1.c3246ep-11F,
                             0x1.c1bb52p-8F,   -0x1.381c6ep-5F, 0x1.452834p-3F,
                             0x1.d2bc5ap-1F,   0x1.a16ae2p+0F,  -0x1.d60a6ep-12F};
  // erf(x) / x - 1 in x^2, off by 2^-26.
  constexpr float inner[] = {-0x1.4ba372p-11F, 0x1.4b2706p-8F,  -0x1.b7271ap-6F,
                             0x1.ce2432p-4F,   -0x1.81271cp-2F, 0x1.06eba8p-3F};
  const F a = abs(x);
  const F q = polynomial(outer, at_most(a, 4));
  const Rounded<F> n = rounded(-q);
  const F far = 1 - power_near_zero(-q - n.number) * power_of_two(n);
  const F near = fma(x, polynomial(inner, x * x), x);
  return select(a < 0.85F, near, with_sign(far, x));
}

// 4 ulp.
FLOATS F erfc(F x) {
  const F a = at_most(abs(x), 10.5F);
  const auto [high, low] = exponent_of_square(a);
  const F result = times_power_of_two(scaled_complement(a), -high, -low);
  return select(x < 0, 2 - result, result);
}

// 4 ulp. For negative numbers 2 e^(x^2) - e^(a^2) erfc(a).
FLOATS F erfcx(F x) {
  constexpr float one_over_root_pi = 0x1.20dd76p-1F;
  const F a = select(x < 0, at_most(-x, 10), x);
  const MaskOf<F> is_far = x >= 0x1p40F;
  const F scaled = scaled_complement(select(is_far, F(1), a));
  const F above = select(is_far, one_over_root_pi / x, scaled);
  if (!any(x < 0)) return above;
  const auto [high, low] = exponent_of_square(a);
  return select(x < 0, times_power_of_two(F(2), high, low) - scaled, above);
}

// erfc(-x / sqrt(2)) / 2. Far below 0 the last bits of the argument count: to first order, erfc
// changes by 2 z erfc(z) there.
FLOATS F normcdf(F x) {
  constexpr float factor = -0x1.6a09e6p-1F, factor_low = -0x1.9fcef4p-27F;
  x = at_most(at_least(x, -14.5F), 14.5F);
  const F z = x * factor;
  const F z_low = fma(x, factor_low, fma(x, factor, -z));
  F result = erfc(z);
  result = select(x < -1, fma(-2 * z * result, z_low, result), result);
  return 0.5F * result;
}

}  // namespace gridspan::devices::cpu::math
