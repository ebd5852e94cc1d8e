// asin, acos, atan and atan2 of double. 2 ulp.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arctangents are cut to an eighth of a half turn by tan's addition theorem, in the division that
// is needed anyway (S. L. Moshier, Methods and Programs for Mathematical Functions, 1989).
#pragma once

#include "devices/cpu/math/float_angles.h"

namespace gridspan::devices::cpu::math {

constexpr double half_pi = 0x1.921fb54442d18p+0, half_pi_low = 0x1.1a62633145c07p-54;

DOUBLES Arcsine<F> arcsine_of(F a) {
  // (asin(x) / x - 1) / x^2 in x^2, off by 2^-58; the GPU's.
  constexpr double series[] = {0x1.dc181a1e43fdap-6, -0x1.f58c4e797bf33p-7, 0x1.22053f1b0db7dp-6,
                               0x1.5e2919d3753a9p-8, 0x1.532a90dc073eep-7,  0x1.7801022f1be58p-7,
                               0x1.c9d30ac27c391p-7, 0x1.1c4d112cf67d3p-6,  0x1.6e8bb3752168fp-6,
                               0x1.f1c71c11deeadp-6, 0x1.6db6db6e48603p-5,  0x1.3333333332da2p-4,
                               0x1.5555555555556p-3};
  const MaskOf<F> is_far = a > 0.5;
  const F square = select(is_far, fma(a, -0.5, 0.5), a * a);
  const F x = select(is_far, sqrt(square), a);
  return {is_far, fma(x * square, polynomial(series, square), x)};
}

DOUBLES F asin(F x) {
  const auto [is_far, arcsine] = arcsine_of(abs(x));
  const F far = fma(arcsine, -2, half_pi) + half_pi_low;
  return with_sign(select(is_far, far, arcsine), x);
}

DOUBLES F acos(F x) {
  const auto [is_far, arcsine] = arcsine_of(abs(x));
  const MaskOf<F> is_negative = x < 0;
  const F far = select(is_negative, F(2), F(0));
  const F quarters = select(is_far, far, F(1));
  const F factor = negative_if(is_negative, select(is_far, F(2), F(-1)));
  return fma(factor, arcsine, quarters * half_pi) + quarters * half_pi_low;
}

/// atan(above / below) of positive numbers, `above` no more than `below`, neither 0 nor infinite
/// both: from tan(pi / 8) on, pi / 4 more than that of (above - below) / (above + below).
DOUBLES F near_arctangent(F above, F below) {
  // (atan(t) / t - 1) / t^2 in t^2, |t| <= tan(pi / 8): Remez' algorithm, off by 2^-58.
  constexpr double series[] = {-0x1.2bee886d7c347p-6, 0x1.3b00544cfd06bp-5,  -0x1.9e27554551669p-5,
                               0x1.df603ee6e9252p-5,  -0x1.10f1b3256ae1bp-4, 0x1.3b11aa8640578p-4,
                               -0x1.745d01bb9e2dbp-4, 0x1.c71c713c4a0c1p-4,  -0x1.24924923a0081p-3,
                               0x1.9999999998317p-3,  -0x1.5555555555552p-2};
  constexpr double edge = 0x1.a827999fcef32p-2;
  const MaskOf<F> is_far = above > below * edge;
  const F t = select(is_far, above - below, above) / select(is_far, above + below, below);
  const F square = t * t;
  const F low = select(is_far, F(half_pi_low / 2), F(0));
  const F angle = fma(t * square, polynomial(series, square), low) + t;
  return select(is_far, half_pi / 2 + angle, angle);
}

DOUBLES F atan(F x) {
  const F a = abs(x);
  const MaskOf<F> is_steep = a > 1;
  const F angle = near_arctangent(select(is_steep, F(1), a), select(is_steep, a, F(1)));
  return with_sign(select(is_steep, half_pi - (angle - half_pi_low), angle), x);
}

DOUBLES F atan2(F y, F x) {
  const F a = abs(x), b = abs(y);
  const MaskOf<F> is_steep = b > a;
  F above = select(is_steep, a, b), below = select(is_steep, b, a);
  if (any(~((below > 0x1p-1000) & (below < 0x1p1000)))) {
    // To where sums are normal numbers; 0 / 0 and infinity / infinity.
    const F small = select(below > 0x1p-1000, F(1), F(0x1p600));
    const F scale = select(below < 0x1p1000, small, F(0x1p-600));
    const MaskOf<F> is_equal = above == below;
    above = select(is_equal & (above != 0), F(1), above * scale);
    below = select(is_equal, F(1), below * scale);
  }
  const F angle = near_arctangent(above, below);
  const F upright = select(is_steep, half_pi - (angle - half_pi_low), angle);
  const F turned = 2 * half_pi - (upright - 2 * half_pi_low);
  const F result = with_sign(select(as_signed<F>(bits_of(x)) < 0, turned, upright), y);
  return select(is_number(x) & is_number(y), result, x + y);
}

}  // namespace gridspan::devices::cpu::math
