// asinh, acosh and atanh. 3 ulp; 2 of atanh of double.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// They are logarithms of numbers t, and ln(t) = k ln(2) + 2 artanh(s), s = (t - 2^k) / (t + 2^k).
// While k is 0, s is the hyperbolic tangent of half the result, which needs no t.
#pragma once

#include "devices/cpu/math/double_logarithms.h"

namespace gridspan::devices::cpu::math {

/// 2^k, a positive number over from 3/4 to 3/2.
template <class F>
struct Binade {
  F k, power;
};
FLOATS Binade<F> binade_of(F x) {
  const BitsOf<F> field = (bits_of(x) - 0x3f400000) & 0xff800000;
  return {number_of<F>(as_signed<F>(field) >> 23), from_bits<F>(field + 0x3f800000)};
}
DOUBLES Binade<F> binade_of(F x) {
  // The exponent field changes at 3/4.
  const BitsOf<F> shifted = bits_of(x) + 0x0008000000000000;
  const F biased = from_bits<F>((shifted >> 52) | 0x4330000000000000);
  return {biased - (0x1p52 + 1023), from_bits<F>(shifted & 0x7ff0000000000000)};
}

// k ln(2) + 2 artanh(s) for |s| <= 1/5. (2 artanh(s) / s - 2) / s^2: Remez' algorithm, off by 2^-26
// and 2^-53 of itself.
FLOATS F logarithm_of(F k, F s) {
  constexpr float series[] = {0x1.d358bep-3F, 0x1.24c4d2p-2F, 0x1.9997fcp-2F, 0x1.555556p-1F};
  const F z = s * s;
  return fma(k, float_ln_2, fma(s * z, polynomial(series, z), 2 * s));
}
DOUBLES F logarithm_of(F k, F s) {
  constexpr double series[] = {0x1.16dcf7b3ef6b3p-3, 0x1.0e83c6d7e3e8ap-3, 0x1.3b2a41995f91cp-3,
                               0x1.745ca95ee22bfp-3, 0x1.c71c72e902147p-3, 0x1.24924923d6cb6p-2,
                               0x1.9999999999f5fp-2, 0x1.5555555555555p-1};
  const F z = s * s;
  const F tail = fma(s * z, polynomial(series, z), k * short_ln_2_low);
  return fma(k, short_ln_2, fma(s, 2, tail));
}

/// ln(more + less), given above / below = (t - 1) / (t + 1), which counts while k is 0.
LANES F logarithm_of_sum(F more, F less, F above, F below) {
  const F t = more + less, t_low = (more - t) + less;
  const auto [k, power] = binade_of(t);
  const MaskOf<F> is_near = k == 0;
  const F far = (t - power) + t_low;
  return logarithm_of(k, select(is_near, above, far) / select(is_near, below, t + power));
}

/// Numbers from here on are their own square's root's and a little.
template <class Real>
constexpr Real large = sizeof(Real) == 4 ? Real(0x1p30) : Real(0x1p60);
constexpr double ln_2_rounded = 0x1.62e42fefa39efp-1;

// ln(a + sqrt(a^2 + 1)).
LANES F asinh(F x) {
  constexpr auto ln_2_of_type = static_cast<RealOf<F>>(ln_2_rounded);
  const F a = abs(x), root = sqrt(fma(a, a, 1));
  F result = logarithm_of_sum(root, a, a, F(1 + root));
  const MaskOf<F> is_large = a >= large<RealOf<F>>;
  if (any(is_large)) result = select(is_large, log(a) + ln_2_of_type, result);
  return with_sign(result, x);
}

// ln(x + sqrt(x^2 - 1)).
LANES F acosh(F x) {
  constexpr auto ln_2_of_type = static_cast<RealOf<F>>(ln_2_rounded);
  const F rest = x - 1, root = sqrt(fma(rest, rest, 2 * rest));
  F result = logarithm_of_sum(x, root, root, F(1 + x));
  const MaskOf<F> ordinary = (x >= 1) & (x < large<RealOf<F>>);
  if (any(~ordinary))  // NaN of smaller numbers
    result = select(ordinary, result, log(select(x >= 1, x, F(-1))) + ln_2_of_type);
  return result;
}

// ln((1 + a) / (1 - a)) / 2.
LANES F atanh(F x) {
  constexpr auto infinity = static_cast<RealOf<F>>(__builtin_inf());
  const F a = abs(x);
  const F above = 1 + a, below = 1 - a;
  const auto [k, power] = binade_of(F(above / below));
  // The rounding of 1 + a and 1 - a would count.
  F s = fma(a, 1 + power, 1 - power) / fma(a, 1 - power, 1 + power);
  const MaskOf<F> is_far = a > RealOf<F>(0.99999);
  if (!any(is_far)) return with_sign(RealOf<F>(0.5) * logarithm_of(k, s), x);
  // There that of 1 + power would.
  const F product = below * power;
  s = select(is_far, (above - product) / (above + product), s);
  const F at_end = select(a == 1, F(infinity), F(__builtin_nan("")));
  const F result = select(a >= 1, at_end, RealOf<F>(0.5) * logarithm_of(k, s));
  return with_sign(result, x);
}

}  // namespace gridspan::devices::cpu::math
