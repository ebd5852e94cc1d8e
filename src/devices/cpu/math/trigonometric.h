// sin, cos and tan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sin(x) = (-1)^n sin(x - n pi), and cos(x) the sine of what is left of x - (n + 1/2) pi: one
// polynomial for half a turn. Tangents are quotients of sine and cosine for a quarter of one.
#pragma once

#include "devices/cpu/math/turns.h"

namespace gridspan::devices::cpu::math {

/// Coefficients of polynomials in x^2, by Remez' algorithm.
template <class Real>
struct Sines;
template <>
struct Sines<float> {
  // (sin(x) / x - 1) / x^2, |x| <= pi / 2, off by 2^-31.
  static constexpr float half_turn[] = {-0x1.b62538p-26F, 0x1.72cddep-19F, -0x1.a023ccp-13F,
                                        0x1.111136p-7F, -0x1.555556p-3F};
  // For |x| <= pi / 4, and (cos(x) - 1) / x^2.
  static constexpr float sine[] = {-0x1.9ac6fcp-13F, 0x1.110c24p-7F, -0x1.555552p-3F};
  static constexpr float cosine[] = {0x1.9bd670p-16F, -0x1.6c12cep-10F, 0x1.555554p-5F, -0.5F};
};
template <>
struct Sines<double> {
  // Off by 2^-61.
  static constexpr double half_turn[] = {
      0x1.88307538a8b51p-49, -0x1.ae43727ee0f9fp-41, 0x1.6123ccce95975p-33, -0x1.ae6454d3c852bp-26,
      0x1.71de3a529fb85p-19, -0x1.a01a01a014d5ep-13, 0x1.11111111110c8p-7,  -0x1.5555555555555p-3};
  static constexpr double sine[] = {0x1.5e118e8484eeep-33, -0x1.ae60210233a95p-26,
                                    0x1.71de37b1ca273p-19, -0x1.a01a019ea130ap-13,
                                    0x1.1111111110c83p-7,  -0x1.5555555555555p-3};
  static constexpr double cosine[] = {-0x1.9073967707182p-37,
                                      0x1.1eeb57ed7c2b4p-29,
                                      -0x1.27e4fa02fd1a3p-22,
                                      0x1.a01a019f3847ep-16,
                                      -0x1.6c16c16c168cap-10,
                                      0x1.5555555555555p-5,
                                      -0.5};
};

/// Of what is left of half turns.
LANES F sine_of(Turn<F> turn) {
  const F x = turn.rest, square = x * x;
  const F sine = fma(polynomial(Sines<RealOf<F>>::half_turn, square), square * x, x);
  return negative_if_odd(turn.count, sine);
}

// 2 ulp.
LANES F sin(F x) {
  // The polynomial loses the sign of -0.
  return select(x == 0, x, sine_of(reduce_half_turns(x, 0)));
}
LANES F cos(F x) { return -sine_of(reduce_half_turns(x, RealOf<F>(0.5))); }

// What sine and cosine lose by rounding goes into the quotient's last step. 4 ulp of float, 2 of
// double.
FLOATS F tan(F x) {
  const auto [quarters, rest] = reduce_quarter_turns(x);
  const F square = rest * rest;
  const F sine = fma(polynomial(Sines<float>::sine, square), square * rest, rest);
  const F cosine = fma(polynomial(Sines<float>::cosine, square), square, 1);
  const MaskOf<F> odd = is_odd<F>(quarters);
  return select(x == 0, x, select(odd, -cosine, sine) / select(odd, sine, cosine));
}
DOUBLES F tan(F x) {
  const auto [quarters, rest] = reduce_quarter_turns(x);
  const F square = rest * rest;
  const F sine_part = polynomial(Sines<double>::sine, square) * (square * rest);
  const F cosine_part = polynomial(Sines<double>::cosine, square) * square;
  const F sine = rest + sine_part, sine_low = sine_part - (sine - rest);
  const F cosine = 1 + cosine_part, cosine_low = cosine_part - (cosine - 1);
  const MaskOf<F> odd = is_odd<F>(quarters);
  const F above = select(odd, -cosine, sine), above_low = select(odd, -cosine_low, sine_low);
  const F below = select(odd, sine, cosine), below_low = select(odd, sine_low, cosine_low);
  const F inverse = 1 / below, quotient = above * inverse;
  const F missing = fma(-quotient, below, above) + above_low;
  const F tangent = fma(fma(-quotient, below_low, missing), inverse, quotient);
  return select(x == 0, x, tangent);
}

}  // namespace gridspan::devices::cpu::math
