// cbrt and rcbrt. 1 ulp.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An estimate from a third of a number's bits (W. Kahan, Computing a real cube root, 1991), a step
// of high order, and a step of Newton's.
#pragma once

#include "devices/cpu/math/lanes.h"

namespace gridspan::devices::cpu::math {

/// Numbers below `least` are multiplied by `up`, a cube, since squares of roots would not be
/// normal.
template <class Real>
struct RootLimits;
template <>
struct RootLimits<float> {
  static constexpr float least = 0x1p-60F, up = 0x1p72F, root_of_up = 0x1p24F;
};
template <>
struct RootLimits<double> {
  static constexpr double least = 0x1p-500, up = 0x1p600, root_of_up = 0x1p200;
};

// x^(-1/3) from -1/3 of x's bits; the constants make the largest error least, 1/30.
FLOATS F rough_inverse_root(F x) {
  const F bits = fma(number_of<F>(as_signed<F>(bits_of(x))), -1.0F / 3, 0x54a20000);
  return __builtin_bit_cast(F, __builtin_convertvector(bits, MaskOf<F>));
}
// The first 32 bits, in the last bits of numbers.
DOUBLES F rough_inverse_root(F x) {
  constexpr double shift = 0x1p52;
  const F bits = from_bits<F>((bits_of(x) >> 32) | 0x4330000000000000) - shift;
  const F third = fma(bits, -1.0 / 3, 0x553ef0ff) + shift;
  return from_bits<F>(bits_of(third) << 32);
}

// ((1 - e)^(-1/3) - 1) / e for |e| < 0.105: Remez' algorithm, off by 2^-18 and 2^-29.
FLOATS F inverse_root_series(F missing) {
  constexpr float series[] = {0x1.63fd3cp-3F, 0x1.c9bcaap-3F, 0x1.5554d6p-2F};
  return polynomial(series, missing);
}
DOUBLES F inverse_root_series(F missing) {
  constexpr double series[] = {0x1.59ba9504f6bd2p-4, 0x1.03617efb68f3dp-3, 0x1.27d1183525033p-3,
                               0x1.61f4907a8c103p-3, 0x1.c71bbb5068531p-3, 0x1.55555639bc762p-2};
  return polynomial(series, missing);
}
LANES F inverse_cube_root(F x) {
  const F rough = rough_inverse_root(x);
  const F missing = fma(-(rough * rough), x * rough, 1);
  return fma(rough * missing, inverse_root_series(missing), rough);
}

/// compute(|x|, inverse root of it), times back_from_small if x is; `special` of 0, infinity
/// and NaN.
template <class F, class Compute>
INLINED F root_of(F x, RealOf<F> back_from_small, F special, Compute compute) {
  using Limits = RootLimits<RealOf<F>>;
  constexpr auto infinity = static_cast<RealOf<F>>(__builtin_inf());
  F size = abs(x);
  const MaskOf<F> ordinary = (size >= Limits::least) & (size < infinity);
  if (!any(~ordinary)) return with_sign(compute(size, inverse_cube_root(size)), x);
  const MaskOf<F> is_small = size < Limits::least, is_special = (x == 0) | ~(size < infinity);
  size = select(is_small, size * Limits::up, size);
  const F result = compute(size, inverse_cube_root(size));
  const F scaled_back = select(is_small, result * back_from_small, result);
  return select(is_special, special, with_sign(scaled_back, x));
}

LANES F cbrt(F x) {
  constexpr RealOf<F> third = RealOf<F>(1) / 3;
  return root_of(x, 1 / RootLimits<RealOf<F>>::root_of_up, F(x + x),
                 [](F size, F inverse) __attribute__((always_inline)) {
                   const F inverse_square = inverse * inverse, root = size * inverse_square;
                   const F missing = fma(-root * root, root, size);
                   return fma(missing, inverse_square * third, root);
                 });
}
LANES F rcbrt(F x) {
  constexpr RealOf<F> third = RealOf<F>(1) / 3;
  return root_of(x, RootLimits<RealOf<F>>::root_of_up, F(1 / x),
                 [](F size, F inverse) __attribute__((always_inline)) {
                   const F missing = fma(-(inverse * inverse), size * inverse, 1);
                   return fma(inverse * missing, third, inverse);
                 });
}

}  // namespace gridspan::devices::cpu::math
