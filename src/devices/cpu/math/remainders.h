// fmod and remainder, which are exact.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// While x / y has fewer bits than a number, x - q * y is a number for its integer part q, and also
// if the rounded quotient leads to the next one: one FMA, and a step. Longer quotients are the C
// library's.
#pragma once

#include "devices/cpu/math/lanes.h"

namespace gridspan::devices::cpu::math {

/// Is y finite and |x / y| so small that its integers are exact?
LANES MaskOf<F> is_short(F x, F y) {
  constexpr RealOf<F> most = is_float<F> ? RealOf<F>(0x1p22) : RealOf<F>(0x1p51);
  constexpr auto infinity = static_cast<RealOf<F>>(__builtin_inf());
  return (abs(x) < abs(y) * most) & (abs(y) < infinity);
}

INLINED float c_fmod(float x, float y) { return __builtin_fmodf(x, y); }
INLINED double c_fmod(double x, double y) { return __builtin_fmod(x, y); }
INLINED float c_remainder(float x, float y) { return __builtin_remainderf(x, y); }
INLINED double c_remainder(double x, double y) { return __builtin_remainder(x, y); }

LANES F fmod(F x, F y) {
  const F a = abs(x), b = abs(y);
  const F rest = fma(whole_part(a / b), -b, a);
  F result = with_sign(select(rest < 0, rest + b, rest), x);
  const MaskOf<F> is_long = ~is_short(x, y);
  if (any(is_long))
    for (int i = 0; i < Parts<F>::count; ++i)
      if (is_long[i] != 0) result[i] = c_fmod(x[i], y[i]);
  return result;
}

LANES F remainder(F x, F y) {
  const F a = abs(x), b = abs(y);
  const F quotient = nearest(a / b);
  F rest = fma(quotient, -b, a);
  // The even one of two.
  const MaskOf<F> is_odd = nearest(quotient * RealOf<F>(0.5)) * 2 != quotient;
  const F twice = rest + rest;
  const F step = select((twice > b) | ((twice == b) & is_odd), b, F(0));
  rest -= select((twice < -b) | ((twice == -b) & is_odd), -b, step);
  F result = negative_if(as_signed<F>(bits_of(x)) < 0, rest);
  const MaskOf<F> is_long = ~is_short(x, y);
  if (any(is_long))
    for (int i = 0; i < Parts<F>::count; ++i)
      if (is_long[i] != 0) result[i] = c_remainder(x[i], y[i]);
  return result;
}

}  // namespace gridspan::devices::cpu::math
