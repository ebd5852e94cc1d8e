// fmod and remainder, which are exact.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// While x / y has fewer bits than a number, x - q * y is a number for its integer part q, and also
// if the rounded quotient leads to the next one: one FMA, and a step. Longer quotients are the C
// library's.
#pragma once

#include "devices/cpu/math/lanes.h"

namespace gridspan::devices::cpu::math {

INLINED float c_fmod(float x, float y) { return __builtin_fmodf(x, y); }
INLINED double c_fmod(double x, double y) { return __builtin_fmod(x, y); }
INLINED float c_remainder(float x, float y) { return __builtin_remainderf(x, y); }
INLINED double c_remainder(double x, double y) { return __builtin_remainder(x, y); }

/// `result` where y is finite and |x / y| so small that its integers are exact, else of_one(x, y).
template <class F, class OfOne>
INLINED F with_long(F x, F y, F result, OfOne of_one) {
  constexpr RealOf<F> most = is_float<F> ? RealOf<F>(0x1p22) : RealOf<F>(0x1p51);
  constexpr auto infinity = static_cast<RealOf<F>>(__builtin_inf());
  const MaskOf<F> is_short = (abs(x) < abs(y) * most) & (abs(y) < infinity);
  if (!any(~is_short)) return result;
  const MaskOf<F> is_defined = (abs(x) < infinity) & is_number(y) & (y != 0);
  const F special = select(is_defined, x, F(__builtin_nan("")));
  result = select(is_short, result, special);
  const MaskOf<F> is_long = is_defined & ~is_short & (abs(y) < infinity);
  if (any(is_long))
    for (int i = 0; i < Parts<F>::count; ++i)
      if (is_long[i] != 0) result[i] = of_one(x[i], y[i]);
  return result;
}

LANES F fmod(F x, F y) {
  const F a = abs(x), b = abs(y);
  const F rest = fma(whole_part(a / b), -b, a);
  const F result = with_sign(select(rest < 0, rest + b, rest), x);
  return with_long(x, y, result, [](RealOf<F> one, RealOf<F> other) __attribute__((always_inline)) {
    return c_fmod(one, other);
  });
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
  const F result = negative_if(as_signed<F>(bits_of(x)) < 0, rest);
  return with_long(x, y, result, [](RealOf<F> one, RealOf<F> other) __attribute__((always_inline)) {
    return c_remainder(one, other);
  });
}

}  // namespace gridspan::devices::cpu::math
