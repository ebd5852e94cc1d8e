// sin, cos and tan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sin(x) = (-1)^n sin(x - n pi), and cos(x) the sine of what is left of x - (n + 1/2) pi: one
// polynomial for half a turn. Tangents are cut to a quarter of one.
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

/// The tangent of rest, and what it is in odd quarters. This loses the sign of -0. 4 ulp.
FLOATS F tangent_of(MaskOf<F> odd, F rest) {
  const F square = rest * rest;
  const F sine = fma(polynomial(Sines<float>::sine, square), square * rest, rest);
  const F cosine = fma(polynomial(Sines<float>::cosine, square), square, 1);
  return select(odd, -cosine, sine) / select(odd, sine, cosine);
}
// 2 ulp.
DOUBLES F tangent_of(MaskOf<F> odd, F rest) {
  // (tan(x) / x - 1) / x^2 in x^2, |x| <= pi / 4, off by 2^-57.
  constexpr double series[] = {
      0x1.3e4d811052d1ep-17, -0x1.7ec26cb07d68fp-16, 0x1.7e3e23eba60e1p-15, -0x1.6d987eba2a170p-16,
      0x1.0c92f9f701384p-14, 0x1.66382587e470dp-14,  0x1.fd939055d9441p-13, 0x1.34dadff1a8447p-11,
      0x1.7dae3d6783de8p-10, 0x1.d6d328aa9667cp-9,   0x1.226e38cb401c1p-7,  0x1.664f486c45d05p-6,
      0x1.ba1ba1ba6e8eap-5,  0x1.1111111110cc8p-3,   0x1.5555555555557p-2};
  const F square = rest * rest;
  const F tangent = fma(polynomial(series, square), square * rest, rest);
  return select(odd, -1 / tangent, tangent);
}
LANES F tan(F x) {
  const auto [quarters, rest] = reduce_quarter_turns(x);
  const F tangent = tangent_of(is_odd<F>(quarters), rest);
  return is_float<F> ? select(x == 0, x, tangent) : tangent;
}

}  // namespace gridspan::devices::cpu::math
