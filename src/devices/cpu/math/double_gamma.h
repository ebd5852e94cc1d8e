// tgamma and lgamma of double. 10 ulp and 4, but where negative numbers have small logarithms.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stirling's formula, ln(Gamma(z)) = (z - 1/2) (ln(z) - 1) + (ln(2 pi) - 1) / 2 + S(1 / z^2) / z,
// with the exponent to twice a number's precision; the recurrence and the reflection lead to it
// (M. Abramowitz and I. A. Stegun, Handbook of Mathematical Functions, 6.1). Polynomials: Remez'
// algorithm.
#pragma once

#include "devices/cpu/math/double_power.h"
#include "devices/cpu/math/half_turns.h"

namespace gridspan::devices::cpu::math {

/// (z + z_low - 1/2) (log2(z + z_low) - log2(e)) for z >= 3.
DOUBLES Pair<F> stirling_exponent(F z, F z_low, F inverse) {
  constexpr double log2_e_low = 0x1.777d0ffda0d24p-56;
  const auto [high, low] = binary_logarithm(z, F(0));
  const F logarithm = high - log2_e;
  const F logarithm_low =
      fma(z_low * inverse, log2_e, low - log2_e_low) + ((high - logarithm) - log2_e);
  const F power = z - 0.5;
  const F exponent = power * logarithm;
  const F rounding = fma(power, logarithm, -exponent);
  return {exponent, fma(z_low, logarithm, fma(power, logarithm_low, rounding))};
}

/// a (a + 1) ... (a + 7) = u (u + 6) (u + 10) (u + 12), u = a (a + 7), whose rounding error counts.
DOUBLES F eight_factors(F a) {
  constexpr double series[] = {1, 28, 252, 720}, slope[] = {4, 84, 504, 720};
  const F seven = 7 * a, u = fma(a, a, seven);
  const F u_low = fma(a, a, seven - u) + fma(a, 7, -seven);
  return fma(polynomial(slope, u), u_low, u * polynomial(series, u));
}

// Below 8, Gamma(a) = Gamma(a + 8) / (a (a + 1) ... (a + 7)); and Gamma(-a) = -pi / (a sin(pi a)
// Gamma(a)).
DOUBLES F tgamma(F x) {
  constexpr double infinity = __builtin_inf();
  // S for z >= 8, off by 2^-63.
  constexpr double series[] = {
      0x1.46fe473ac17acp-8,  -0x1.ee8908c56062cp-10, 0x1.b92206d1a2e9bp-11, -0x1.381334e246d66p-11,
      0x1.a01a0161536d8p-11, -0x1.6c16c16c1111bp-9,  0x1.5555555555555p-4};
  constexpr double root_two_pi_over_e = 0x1.8535745aa7957p+0, pi_over_root = 0x1.087eaba64708ap+1;
  // Beyond, results are infinite or 0.
  const F a = at_most(abs(x), 200);
  const MaskOf<F> is_small = a < 8;
  const F z = select(is_small, a + 8, a), z_low = select(is_small, a - (z - 8), F(0));
  const F inverse = 1 / z;
  const Pair<F> exponent = stirling_exponent(z, z_low, inverse);
  const F low = fma(polynomial(series, F(inverse * inverse)) * inverse, log2_e, exponent.low);
  const F product = select(is_small, eight_factors(a), F(1));
  const auto times_power = [](F factor, F high, F low) __attribute__((always_inline)) {
    const Rounded<F> n = rounded(high);
    return scaled(F(factor * power_near_zero(F((high - n.number) + low))), n);
  };
  F result = times_power(F(root_two_pi_over_e / product), exponent.high, low);
  result = select(a < 0x1p-60, 1 / x, result);
  if (any(~((x > 0) & (x < 170)))) {
    const F sine = sinpi(abs(x));
    const F factor = -pi_over_root * product / (a * sine);
    const F below = times_power(factor, -exponent.high, -low);
    result = select(x < -0x1p-60, select(sine == 0, F(__builtin_nan("")), below), result);
    result = select(x > 172, F(infinity), result);
    result = select(x == -infinity, F(__builtin_nan("")), result);
  }
  return result;
}

/// ln(Gamma(a)), a < 3: zeros at 1 and 2 are factors.
DOUBLES F logarithm_around_zeros(F a) {
  // ln(Gamma(2 + u)) / (u (1 + u)) for |u| <= 1, off by 2^-54 of itself.
  constexpr double series[] = {
      0x1.b3fb8b93ef901p-30, -0x1.a491714b65234p-29, -0x1.2d716d56423c9p-28, 0x1.0683ce8fe1c88p-27,
      0x1.19dcd5ddc5a98p-26, -0x1.0139a4b7414cdp-25, 0x1.7ddb596776feep-28,  -0x1.42218a4c4a216p-26,
      0x1.c12fe15e9e4bcp-24, -0x1.c74b7db813d30p-23, 0x1.a8cab7d9bb2b7p-22,  -0x1.c3c829950fb1cp-21,
      0x1.e6473f4b3ab5cp-20, -0x1.027ca8d87879ep-18, 0x1.13db7730e6e9fp-17,  -0x1.284b5033fca93p-16,
      0x1.402f7d9a7aa74p-15, -0x1.5c86edf4739bbp-14, 0x1.7ed7303360a64p-13,  -0x1.a96a3e918636cp-12,
      0x1.dfebcf9f694acp-11, -0x1.145121fc8374ep-9,  0x1.4797485394a41p-8,   -0x1.95ce223a97841p-7,
      0x1.0e0c9df2935ddp-5,  -0x1.9ae6509ea10b6p-4,  0x1.b0ee6072093cep-2};
  const MaskOf<F> is_small = a < 1;
  const F t = select(is_small, a, a - 1), u = t - 1;
  const F value = fma(F(t * u), polynomial(series, u), 0);
  return any(is_small) ? select(is_small, value - log(a), value) : value;
}

/// ln(Gamma(a)), a >= 3.
DOUBLES F stirling_logarithm(F a) {
  // S, off by 2^-60.
  constexpr double series[] = {
      -0x1.209f85836659ep+0,  0x1.e739b50a2cd13p-1,  -0x1.8e9afd5c9b2b8p-2,  0x1.bc67ed2ff0881p-4,
      -0x1.a2614cf6f8343p-6,  0x1.9907e096f0ed2p-8,  -0x1.f5583b4bd857fp-10, 0x1.b94436fb2fbd2p-11,
      -0x1.381354b2e549dp-11, 0x1.a01a014df86f8p-11, -0x1.6c16c16c05197p-9,  0x1.5555555555553p-4};
  constexpr double constant = 0x1.acfe390c97d69p-2;  // (ln(2 pi) - 1) / 2
  const F inverse = 1 / a;
  const Pair<F> exponent = stirling_exponent(a, F(0), inverse);
  const F rest = fma(polynomial(series, F(inverse * inverse)), inverse, constant);
  const F low = fma(exponent.high, ln_2_low, fma(exponent.low, ln_2, rest));
  return fma(exponent.high, ln_2, low);
}

DOUBLES F lgamma(F x) {
  constexpr double infinity = __builtin_inf(), pi = Pi<double>::whole;
  const F a = abs(x);
  const MaskOf<F> is_near = a < 3;
  F value = logarithm_around_zeros(a);
  if (any(~is_near)) value = select(is_near, value, stirling_logarithm(a));
  if (!any(~((x > 0) & (x < 0x1p1000)))) return value;
  value = select(a > 0x1p1000, a * (log(a) - 1), value);
  F below = log(F(pi / (a * abs(sinpi(a))))) - value;
  below = select(a < 0x1p-60, -log(a), select(a >= 0x1p52, F(infinity), below));
  return select(a == infinity, a, select(x < 0, below, value));
}

}  // namespace gridspan::devices::cpu::math
