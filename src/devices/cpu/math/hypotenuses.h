// hypot and rhypot: 1 ulp and 2.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/cpu/math/lanes.h"

namespace gridspan::devices::cpu::math {

/// Beyond these, squares are no normal numbers, and are scaled.
template <class Real>
struct SquareLimits;
template <>
struct SquareLimits<float> {
  static constexpr float least = 0x1p-60F, most = 0x1p60F, up = 0x1p90F, down = 0x1p-70F;
};
template <>
struct SquareLimits<double> {
  static constexpr double least = 0x1p-480, most = 0x1p480, up = 0x1p700, down = 0x1p-600;
};

/// square + low = (x^2 + y^2) * scale^2, to twice a number's precision.
template <class F>
struct Square {
  F square, low, scale;
};
LANES Square<F> sum_of_squares(F x, F y) {
  using Limits = SquareLimits<RealOf<F>>;
  constexpr auto infinity = static_cast<RealOf<F>>(__builtin_inf());
  const MaskOf<F> is_steep = abs(y) > abs(x);
  F more = select(is_steep, y, x), less = select(is_steep, x, y), scale = 1;
  MaskOf<F> is_infinite{};
  const F size = abs(more);
  if (any(~((size > Limits::least) & (size < Limits::most)))) {
    scale = select(size < Limits::least, F(Limits::up), scale);
    scale = select(size > Limits::most, F(Limits::down), scale);
    // Infinity counts even beside NaN.
    is_infinite = (abs(x) == infinity) | (abs(y) == infinity);
    more *= scale;
    less *= scale;
  }
  const F first = more * more, second = less * less, square = first + second;
  const F rounding = fma(more, more, -first) + fma(less, less, -second);
  return {select(is_infinite, F(infinity), square), ((first - square) + second) + rounding, scale};
}

LANES F hypot(F x, F y) {
  const auto [square, low, scale] = sum_of_squares(x, y);
  return sqrt(square) * (1 / scale);
}
// With a step of Newton's for what is missing.
LANES F rhypot(F x, F y) {
  const auto [square, low, scale] = sum_of_squares(x, y);
  const F inverse = 1 / sqrt(square);
  const F product = inverse * inverse, product_low = fma(inverse, inverse, -product);
  const F missing = fma(-product, square, 1) - fma(product_low, square, product * low);
  const F exact = fma(inverse * RealOf<F>(0.5), missing, inverse);
  const auto infinity = static_cast<RealOf<F>>(__builtin_inf());
  return select((square > 0) & (square < infinity), exact, inverse) * scale;
}

}  // namespace gridspan::devices::cpu::math
