// sinpi and cospi: arguments in half turns reduce exactly. 1 ulp of float, 2 of double.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/cpu/math/trigonometric.h"

namespace gridspan::devices::cpu::math {

/// x less an even number: from -1 to 1.
LANES F within_turn(F x) { return fma(nearest(x * RealOf<F>(0.5)), -2, x); }

/// The sine of pi * x for |x| <= 1/4, and of that many quarters of a turn more. Off by 2^-29; the
/// GPU's coefficients (device_library/gpu/float_half_turns.cpp).
FLOATS F sine_of_pi(BitsOf<F> quarters, F x) {
  constexpr float pi = Pi<float>::whole, pi_low = Pi<float>::whole_low;
  // (sin(pi x) - pi x) / x^3 and (cos(pi x) - 1) / x^2 in x^2.
  constexpr float sine[] = {0x1.3ef73ep-4F, -0x1.329de8p-1F, 0x1.466b62p+1F, -0x1.4abbcep+2F,
                            pi_low};
  constexpr float cosine[] = {0x1.d09344p-3F, -0x1.55a5b0p+0F, 0x1.03c19ep+2F, -0x1.3bd3ccp+2F, 1};
  const F square = x * x;
  const F at_0 = fma(x, pi, x * polynomial(sine, square));
  const F at_1 = polynomial(cosine, square);
  return negative_if_odd(quarters >> 1, select(is_odd<F>(quarters), at_1, at_0));
}
FLOATS F sine_of_half_turns(F x, int quarters_more) {
  const F turned = within_turn(x);
  const Rounded<F> n = rounded_product(turned, 2);
  return sine_of_pi(bits_of(n.shifted) + quarters_more, fma(n.number, -0.5F, turned));
}

/// One polynomial for half a turn.
DOUBLES F sine_of_half_turns(F x, int quarters_more) {
  const double offset = quarters_more * 0.5;
  const F turned = within_turn(x);
  const Rounded<F> n = rounded(F(turned + offset));
  const F rest = turned - (n.number - offset);
  return sine_of(
      Turn<F>{bits_of(n.shifted), fma(rest, Pi<double>::whole, rest * Pi<double>::whole_low)});
}

// Integers have the sine 0, with the sign of the argument.
LANES F sinpi(F x) {
  const F sine = sine_of_half_turns(x, 0);
  return select(sine == 0, with_sign(F(0), x), sine);
}
// Halves have the cosine 0.
LANES F cospi(F x) { return sine_of_half_turns(x, 1) + 0; }

}  // namespace gridspan::devices::cpu::math
