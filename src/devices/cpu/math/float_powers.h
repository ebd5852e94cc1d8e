// Powers of 2, e and 10 of float.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// b^x = 2^n * 2^r, n the integer closest to x * log2(b): 2^r is a polynomial, and 2^n goes into the
// exponent (W. J. Cody and W. Waite, Software Manual for the Elementary Functions, 1980).
#pragma once

#include "devices/cpu/math/lanes.h"

namespace gridspan::devices::cpu::math {

/// 2^r for |r| <= 1/2 and a little, off by 2^-27.
FLOATS F power_near_zero(F r) {
  constexpr float series[] = {0x1.442512p-13F,
                              0x1.5ef5d2p-10F,
                              0x1.3b2a48p-7F,
                              0x1.c6af9cp-5F,
                              0x1.ebfbe0p-3F,
                              0x1.62e430p-1F,
                              1};
  return polynomial(series, r);
}

/// factor * 2^(high + low), for |high| < 250 and a factor from 1/4 to 4; what is no normal number
/// is rounded once more.
FLOATS F times_power_of_two(F factor, F high, F low) {
  const Rounded<F> n = rounded(high);
  const F r = (high - n.number) + low;
  return scaled(factor * power_near_zero(r), n);
}

/// base^x, given the base's binary logarithm in two parts. Beyond the limits it is 0 and infinity.
FLOATS F power_of_base(F x, float logarithm, float logarithm_low, float least, float most) {
  x = at_most(at_least(x, least), most);
  const Rounded<F> n = rounded_product(x, logarithm);
  const F r = fma(x, logarithm_low, fma(x, logarithm, -n.number));
  return scaled(power_near_zero(r), n);
}

// 1 ulp.
FLOATS F exp(F x) { return power_of_base(x, 0x1.715476p+0F, 0x1.4ae0c0p-26F, -105, 90); }
FLOATS F exp10(F x) { return power_of_base(x, 0x1.a934f0p+1F, 0x1.2f346ep-24F, -46, 39); }
FLOATS F exp2(F x) {
  x = at_most(at_least(x, -151), 129);
  const Rounded<F> n = rounded(x);
  return scaled(power_near_zero(x - n.number), n);
}

/// e^x - 1 = 2^n (e^r - 1) + (2^n - 1), e^r - 1 with its rounding error; in halves, because 2^n may
/// be too large by a factor of 2. 1 ulp.
FLOATS F expm1(F x) {
  constexpr float log2_e = 0x1.715476p+0F, ln_2 = 0x1.62e430p-1F, ln_2_low = -0x1.05c610p-29F;
  // (e^r - 1 - r) / r^2 for |r| <= ln(2) / 2: Remez' algorithm, off by 2^-26 of e^r - 1.
  constexpr float series[] = {0x1.6cde08p-10F, 0x1.122ad6p-7F, 0x1.555538p-5F, 0x1.5554acp-3F,
                              0.5F};
  const F cut = at_most(at_least(x, -20), 88.8F);
  const Rounded<F> n = rounded_product(cut, log2_e);
  const F r = fma(n.number, -ln_2_low, fma(n.number, -ln_2, cut));
  const F rest = r * r * polynomial(series, r);
  const F power = r + rest, power_low = rest - (power - r);
  const F half = power_of_two(Rounded<F>{n.number - 1, n.shifted - 1});
  const F result = 2 * fma(power_low, half, fma(power, half, half - 0.5F));
  // It has the sign of x, which -0 would lose, and what is tiny is x.
  return select(abs(x) < 0x1p-25F, x, result);
}

}  // namespace gridspan::devices::cpu::math
