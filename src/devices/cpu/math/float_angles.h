// asin, acos, atan and atan2 of float. 2 ulp; 3 of atan2.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coefficients: those of the GPU's library (device_library/gpu/float_angles.cpp).
#pragma once

#include "devices/cpu/math/lanes.h"

namespace gridspan::devices::cpu::math {

constexpr float float_half_pi = 0x1.921fb6p+0F, float_half_pi_low = -0x1.777a5cp-25F;

/// Above 1/2, acos(a) = 2 asin(sqrt((1 - a) / 2)).
template <class F>
struct Arcsine {
  MaskOf<F> is_far;
  F value;  // of a, or half of acos(a)
};
FLOATS Arcsine<F> arcsine_of(F a) {
  // (asin(x) / x - 1) / x^2 in x^2, off by 2^-28.
  constexpr float series[] = {0x1.13fed4p-5F, 0x1.18f91ep-6F, 0x1.fd8da2p-6F,
                              0x1.6d5bbap-5F, 0x1.333430p-4F, 0x1.555554p-3F};
  const MaskOf<F> is_far = a > 0.5F;
  const F square = select(is_far, fma(a, -0.5F, 0.5F), a * a);
  const F x = select(is_far, sqrt(square), a);
  return {is_far, fma(x * square, polynomial(series, square), x)};
}

FLOATS F asin(F x) {
  const auto [is_far, arcsine] = arcsine_of(abs(x));
  const F far = fma(arcsine, -2, float_half_pi) + float_half_pi_low;
  return with_sign(select(is_far, far, arcsine), x);
}

FLOATS F acos(F x) {
  const auto [is_far, arcsine] = arcsine_of(abs(x));
  // Far: twice that, or what it leaves of half a turn; near: what it, with x's sign, leaves of a
  // quarter turn.
  const MaskOf<F> is_negative = x < 0;
  const F far = select(is_negative, F(2), F(0));
  const F quarters = select(is_far, far, F(1));
  const F factor = negative_if(is_negative, select(is_far, F(2), F(-1)));
  return fma(factor, arcsine, quarters * float_half_pi) + quarters * float_half_pi_low;
}

/// atan(t) for |t| <= 1.
FLOATS F near_arctangent(F t) {
  // (atan(t) / t - 1) / t^2 in t^2, off by 2^-25.
  constexpr float series[] = {-0x1.38de56p-9F, 0x1.ba9f66p-7F,  -0x1.25dc12p-5F,
                              0x1.0001c6p-4F,  -0x1.6295f8p-4F, 0x1.c3f168p-4F,
                              -0x1.246cd2p-3F, 0x1.99983cp-3F,  -0x1.555554p-2F};
  const F square = t * t;
  return fma(t * square, polynomial(series, square), t);
}

// Above 1, a quarter turn less the angle of the inverse.
FLOATS F atan(F x) {
  const F a = abs(x);
  const MaskOf<F> is_far = a > 1;
  const F angle = near_arctangent(select(is_far, 1 / a, a));
  return with_sign(select(is_far, float_half_pi - angle, angle), x);
}

FLOATS F atan2(F y, F x) {
  const F a = abs(x), b = abs(y);
  const MaskOf<F> is_steep = b > a;
  const F above = select(is_steep, a, b), below = select(is_steep, b, a);
  F quotient = above / below;
  // 0 / 0 and infinity / infinity.
  quotient = select(above == below, select(above == 0, F(0), F(1)), quotient);
  const F angle = near_arctangent(quotient);
  const F upright = select(is_steep, float_half_pi - (angle - float_half_pi_low), angle);
  const F turned = 2 * float_half_pi - (upright - 2 * float_half_pi_low);
  const F result = with_sign(select(as_signed<F>(bits_of(x)) < 0, turned, upright), y);
  return select(is_number(x) & is_number(y), result, x + y);
}

}  // namespace gridspan::devices::cpu::math
