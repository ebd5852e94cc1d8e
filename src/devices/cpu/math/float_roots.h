// cbrt and rcbrt of float.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cube roots: an estimate from a third of a number's bits (W. Kahan, Computing a real cube root,
// 1991), a step of fourth order, and a step of Newton's. 1 ulp.
#pragma once

#include "devices/cpu/math/lanes.h"

namespace gridspan::devices::cpu::math {

/// |x|, times 2^72 where squares of roots would be no normal numbers, and |x|^(-1/3) to 20 bits.
template <class F>
struct Root {
  F size, inverse;
  MaskOf<F> is_small;
};
FLOATS Root<F> inverse_cube_root(F x) {
  const MaskOf<F> is_small = abs(x) < 0x1p-60F;
  const F size = select(is_small, abs(x) * 0x1p72F, abs(x));
  // The exponent's third; the constant makes the largest error least, 1/30.
  constexpr float constant = 0x54a21d00;
  const F bits = fma(number_of<F>(as_signed<F>(bits_of(size))), -1.0F / 3, constant);
  const F rough = __builtin_bit_cast(F, __builtin_convertvector(bits, MaskOf<F>));
  const F missing = fma(-(rough * rough), size * rough, 1);
  // (1 - e)^(-1/3) - 1 over e
  constexpr float series[] = {35.0F / 243, 14.0F / 81, 2.0F / 9, 1.0F / 3};
  return {size, fma(rough * missing, polynomial(series, missing), rough), is_small};
}

LANES MaskOf<F> is_special_root(F x) {
  constexpr auto infinity = static_cast<RealOf<F>>(__builtin_inf());
  return (x == 0) | ~(abs(x) < infinity);
}

FLOATS F cbrt(F x) {
  const auto [size, inverse, is_small] = inverse_cube_root(x);
  const F inverse_square = inverse * inverse, root = size * inverse_square;
  const F missing = fma(-root * root, root, size);
  const F result = fma(missing, inverse_square * (1.0F / 3), root);
  const F near = with_sign(select(is_small, result * 0x1p-24F, result), x);
  return select(is_special_root(x), x + x, near);
}

FLOATS F rcbrt(F x) {
  const auto [size, inverse, is_small] = inverse_cube_root(x);
  const F missing = fma(-(inverse * inverse), size * inverse, 1);
  const F result = fma(missing * inverse, 1.0F / 3, inverse);
  const F near = with_sign(select(is_small, result * 0x1p24F, result), x);
  return select(is_special_root(x), 1 / x, near);
}

}  // namespace gridspan::devices::cpu::math
