// tgamma and lgamma of float.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stirling's formula and reflection; the method and the coefficients of the GPU's library
// (device_library/gpu/float_gamma.cpp).
#pragma once

#include "devices/cpu/math/float_power.h"
#include "devices/cpu/math/half_turns.h"

namespace gridspan::devices::cpu::math {

/// ln(Gamma(a)), a >= 3.
FLOATS F stirling_logarithm(F a, F log_a) {
  // ln(sqrt(2 pi / e)), which makes the rest small where a is.
  constexpr float constant = 0x1.acfe3ap-2F;
  // (ln(Gamma(1 / y)) - formula) / y, up to y = 1 / 3, off by 2^-24 of itself.
  constexpr float series[] = {0x1.2bcbb8p-11F, 0x1.611a62p-14F, -0x1.6d93eep-9F, 0x1.1f6d1ep-21F,
                              0x1.555554p-4F};
  const F inverse = 1 / a;
  return fma(a - 0.5F, log_a - 1, fma(polynomial(series, inverse), inverse, constant));
}

/// ln(Gamma(a)), a < 3: zeros at 1 and 2 are factors.
FLOATS F logarithm_around_zeros(F a, F log_a) {
  // ln(Gamma(2 + u)) / (u * (1 + u)) for |u| <= 1, off by 2^-25 of itself.
  constexpr float series[] = {0x1.1d2874p-16F, -0x1.461deep-15F, 0x1.d19b3ep-16F, -0x1.b437c8p-15F,
                              0x1.86fd0ap-13F, -0x1.beb97ep-12F, 0x1.e04e44p-11F, -0x1.137dd4p-9F,
                              0x1.478a06p-8F,  -0x1.95d51ep-7F,  0x1.0e0ceep-5F,  -0x1.9ae648p-4F,
                              0x1.b0ee6p-2F};
  const MaskOf<F> is_small = a < 1;
  const F t = select(is_small, a, a - 1), u = t - 1;
  const F value = fma(t * u, polynomial(series, u), 0);
  return select(is_small, value - log_a, value);
}

// By Stirling's formula, Gamma(a + 1) = Gamma(a) * a is (z / e)^(a - 1/2), z = a + 1, times what
// hardly changes but for a factor z; and of negative numbers Gamma(-a) = -pi / (sin(pi a)
// Gamma(a + 1)). 5 ulp.
FLOATS F tgamma(F x) {
  constexpr float infinity = __builtin_inff(), pi = 0x1.921fb6p+1F;
  // What (z / e)^(a - 1/2) leaves is z * (first + series of 1 / z), off by 2^-27 of itself.
  constexpr float first = 0x1.1e5d24p-1F;
  constexpr float series[] = {0x1.4d3faap-14F,  -0x1.849d32p-12F, 0x1.58dddp-11F, -0x1.b9e786p-13F,
                              -0x1.8306cep-10F, 0x1.fbf3dp-10F,   0x1.7dd26p-5F};
  constexpr float log2_e = 0x1.715476p+0F, log2_e_low = 0x1.4ae0c0p-26F;
  // Beyond, results are infinite or 0.
  const F a = at_most(abs(x), 44);
  const F z = a + 1, z_low = a - (z - 1);
  const F inverse = 1 / z;
  const auto [high, low] = binary_logarithm(z, F(0));
  const F logarithm = high - log2_e;
  const F logarithm_low =
      fma(z_low * inverse, log2_e, low - log2_e_low) + ((high - logarithm) - log2_e);
  const F power = a - 0.5F;
  const F exponent = power * logarithm;
  const F exponent_low = fma(power, logarithm_low, fma(power, logarithm, -exponent));
  const F factor = fma(z, first, polynomial(series, inverse));
  const F above = times_power_of_two(F(factor / a), exponent, exponent_low);
  F result = select(a < 0x1p-60F, 1 / x, above);
  if (any(~((x > 0) & (x < 36)))) {
    const F sine = sinpi(abs(x));
    const F below = times_power_of_two(F(-pi / (factor * sine)), -exponent, -exponent_low);
    result = select(x < -0x1p-60F, select(sine == 0, F(__builtin_nanf("")), below), result);
    result = select(x >= 36, F(infinity), result);
    result = select(abs(x) <= infinity, select(x == -infinity, F(__builtin_nanf("")), result), x);
  }
  return result;
}

// 6 ulp, but where negative numbers have small results.
FLOATS F lgamma(F x) {
  constexpr float infinity = __builtin_inff(), pi = 0x1.921fb6p+1F;
  const F a = abs(x);
  const F log_a = log(a);
  const MaskOf<F> is_near = a < 3;
  F value = logarithm_around_zeros(a, log_a);
  if (any(~is_near)) value = select(is_near, value, stirling_logarithm(a, log_a));
  if (!any(~((x > 0) & (x < infinity)))) return value;
  // Gamma(a) Gamma(-a) = -pi / (a sin(pi a))
  F below = log(pi / (a * abs(sinpi(a)))) - value;
  below = select(a < 0x1p-24F, -log_a, select(a >= 0x1p23F, F(infinity), below));
  return select(a == infinity, a, select(x < 0, below, value));
}

}  // namespace gridspan::devices::cpu::math
