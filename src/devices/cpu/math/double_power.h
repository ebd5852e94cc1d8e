// pow of double: 2^(y * log2(x)), the logarithm and the product as sums of two numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Some 64 bits of the logarithm count where the power is large (J.-M. Muller, Elementary Functions,
// 2016; T. J. Dekker's double-length numbers, 1971). 1 ulp.
#pragma once

#include "devices/cpu/math/double_logarithms.h"
#include "devices/cpu/math/double_powers.h"
#include "devices/cpu/math/float_power.h"

namespace gridspan::devices::cpu::math {

/// log2(x) + more of a positive normal number: log2(m) = 2 / ln(2) * artanh(s), s = (m - 1) / (m +
/// 1).
DOUBLES Pair<F> binary_logarithm(F x, F more) {
  constexpr double third = 0x1.5555555555555p-2, third_low = 0x1.5555555555555p-56;
  constexpr double two_over_ln_2 = 0x1.71547652b82fep+1, two_over_ln_2_low = 0x1.777d0ffda0d24p-55;
  // (artanh(s) / s - 1 - z / 3) / z^2 for z = s^2 < 0.0295: Remez' algorithm, off by 2^-52.
  constexpr double series[] = {0x1.b9ec78be0d92ap-5, 0x1.e37528405ad70p-5, 0x1.11040a0cb7906p-4,
                               0x1.3b140171d6b5bp-4, 0x1.745d165b58b1ep-4, 0x1.c71c71c858b5cp-4,
                               0x1.2492492491fa4p-3, 0x1.999999999999ap-3};
  const auto [k, mantissa] = exponent_of(x);
  const F f = from_bits<F>(mantissa) - 1;
  const F below = 2 + f, below_low = f - (below - 2);
  const F inverse = 1 / below;
  const F s = f * inverse;
  const F s_low = inverse * fma(-s, below_low, fma(-s, below, f));
  const F z = s * s, z_low = fma(s + s, s_low, fma(s, s, -z));
  // artanh(s) / s - 1
  const F first = z * third;
  F rest = fma(z, third_low, fma(z, third, -first));
  rest = fma(z * z, polynomial(series, z), fma(z_low, third, rest));
  const F tail = first + rest, tail_low = rest - (tail - first);
  // artanh(s)
  const F product = s * tail;
  const F product_low = fma(s, tail_low, fma(s_low, tail, fma(s, tail, -product))) + s_low;
  const F angle = s + product, angle_low = (product - (angle - s)) + product_low;
  const F high = angle * two_over_ln_2;
  const F low = fma(angle, two_over_ln_2_low,
                    fma(angle_low, two_over_ln_2, fma(angle, two_over_ln_2, -high)));
  // Where k is not 0, it is more than the rest.
  const F whole = k + more, sum = whole + high;
  const F sum_low = (high - (sum - whole)) + low;
  const F logarithm = sum + sum_low;
  return {logarithm, sum_low - (logarithm - sum)};
}

DOUBLES F pow(F x, F y) {
  const MaskOf<F> ordinary = is_ordinary(x) & (abs(y) < __builtin_inf());
  F size = x, more = 0;
  if (any(~ordinary)) {
    size = abs(x);
    const MaskOf<F> is_small = size < 0x1p-1022;
    size = select(is_small, size * 0x1p54, size);
    more = select(is_small, F(-54), F(0));
  }
  const Pair<F> logarithm = binary_logarithm(size, more);
  const F product = y * logarithm.high;
  const F product_low = fma(y, logarithm.low, fma(y, logarithm.high, -product));
  // Beyond, the rest is anything, and need not be a number.
  const F exponent = at_most(at_least(product, -1100), 1100);
  const F low = select(abs(product) < 1100, product_low, F(0));
  const Rounded<F> n = rounded(exponent);
  const F result = scaled(power_near_zero((exponent - n.number) + low), n);
  return any(~ordinary) ? power_with_special(x, y, result) : result;
}

}  // namespace gridspan::devices::cpu::math
