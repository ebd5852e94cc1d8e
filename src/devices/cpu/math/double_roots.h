// cbrt and rcbrt of double. 1 ulp.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As float_roots.h, with a step more.
#pragma once

#include "devices/cpu/math/float_roots.h"

namespace gridspan::devices::cpu::math {

DOUBLES Root<F> inverse_cube_root(F x) {
  const MaskOf<F> is_small = abs(x) < 0x1p-500;
  const F size = select(is_small, abs(x) * 0x1p600, abs(x));
  // A third of the first 32 bits, as numbers whose last bits are integers.
  constexpr double constant = 0x553ef0ff, shift = 0x1p52;
  const F bits = from_bits<F>((bits_of(size) >> 32) | 0x4330000000000000) - shift;
  const F third = fma(bits, -1.0 / 3, constant) + shift;
  const F rough = from_bits<F>(bits_of(third) << 32);
  const F missing = fma(-(rough * rough), size * rough, 1);
  constexpr double series[] = {35.0 / 243, 14.0 / 81, 2.0 / 9, 1.0 / 3};
  const F better = fma(rough * missing, polynomial(series, missing), rough);
  const F rest = fma(-(better * better), size * better, 1);
  return {size, fma(better * rest, fma(rest, 2.0 / 9, 1.0 / 3), better), is_small};
}

DOUBLES F cbrt(F x) {
  const auto [size, inverse, is_small] = inverse_cube_root(x);
  const F inverse_square = inverse * inverse, root = size * inverse_square;
  const F square = root * root, square_low = fma(root, root, -square);
  const F missing = fma(-square, root, size) - square_low * root;
  const F result = fma(missing, inverse_square * (1.0 / 3), root);
  const F near = with_sign(select(is_small, result * 0x1p-200, result), x);
  return select(is_special_root(x), x + x, near);
}

DOUBLES F rcbrt(F x) {
  const auto [size, inverse, is_small] = inverse_cube_root(x);
  const F square = inverse * inverse, square_low = fma(inverse, inverse, -square);
  const F product = square * size;
  const F product_low = fma(square, size, -product) + square_low * size;
  const F missing = fma(-product, inverse, 1) - product_low * inverse;
  const F result = fma(inverse * missing, 1.0 / 3, inverse);
  const F near = with_sign(select(is_small, result * 0x1p200, result), x);
  return select(is_special_root(x), 1 / x, near);
}

}  // namespace gridspan::devices::cpu::math
