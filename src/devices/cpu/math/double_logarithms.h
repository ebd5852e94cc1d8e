// Logarithms of double.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// x = 2^k * (1 + f), 1 + f from sqrt(1/2) to sqrt(2). ln(1 + f) = f - f^2 / 2 + s (f^2 / 2 +
// R(s^2)) with s = f / (2 + f): what follows f, the tail, is so small that its rounding errors
// count little (the method of FreeBSD's msun, after P. T. P. Tang, 1990). 1 ulp. Coefficients:
// those of the GPU's library (device_library/gpu/double_logarithms.cpp).
#pragma once

#include "devices/cpu/math/float_logarithms.h"

namespace gridspan::devices::cpu::math {

constexpr std::uint64_t double_one = 0x3ff0000000000000, double_root_half = 0x3fe6a09e667f3bcd;
/// ln(2), the first so short that products with exponents are exact.
constexpr double short_ln_2 = 0x1.62e42fefa3800p-1, short_ln_2_low = 0x1.ef35793c76730p-45;

/// k, and the bits of x / 2^k, which is from sqrt(1/2) to sqrt(2).
template <class F>
struct Exponented {
  F k;
  BitsOf<F> mantissa;
};
DOUBLES Exponented<F> exponent_of(F x) {
  // Adding the distance from sqrt(1/2) to 1 makes the exponent field change at sqrt(1/2).
  const BitsOf<F> shifted = bits_of(x) + (double_one - double_root_half);
  // The exponent field in the last bits of 2^52: integers of 64 bits are slow to convert.
  const F biased = from_bits<F>((shifted >> 52) | 0x4330000000000000);
  return {biased - (0x1p52 + 1023), (shifted & 0x000fffffffffffff) + double_root_half};
}

DOUBLES MaskOf<F> is_ordinary(F x) { return bits_of(x) - 0x0010000000000000 < 0x7fe0000000000000; }

/// compute(f, k) for ln(x) and others.
template <class F, class Compute>
  requires(!is_float<F>)
INLINED F logarithm(F x, Compute compute) {
  const MaskOf<F> ordinary = is_ordinary(x);
  F normal = x, more = 0;
  if (any(~ordinary)) {
    const MaskOf<F> is_small = x < 0x1p-1022;
    normal = select(is_small, x * 0x1p54, x);
    more = select(is_small, F(-54), F(0));
  }
  const auto [k, mantissa] = exponent_of(normal);
  const F result = compute(from_bits<F>(mantissa) - 1, k + more);
  return any(~ordinary) ? with_special(x, result) : result;
}

/// ln(1 + f) - f. R(z) / z = (2 artanh(s) / s - 2) / z for z = s^2 < 0.0295, off by 2^-51 of
/// itself.
DOUBLES F natural_tail(F f) {
  constexpr double series[] = {0x1.2b58d77a44819p-3, 0x1.39fe57d2513a1p-3, 0x1.7462b4c5f6f18p-3,
                               0x1.c71c62e62a529p-3, 0x1.2492492def064p-2, 0x1.9999999995321p-2,
                               0x1.5555555555558p-1};
  const F s = f / (2 + f);
  const F z = s * s;
  const F half_square = 0.5 * f * f;
  return fma(s, fma(z, polynomial(series, z), half_square), -half_square);
}

/// k * unit + ln(1 + f) * factor, where `unit`, without its low part, has so few places that its
/// product with k is exact: some 60 bits before the last rounding.
struct LogarithmBase {
  double unit, unit_low, factor, factor_low;
};
DOUBLES F logarithm_to(LogarithmBase base, F f, F k) {
  const F tail = natural_tail(f);
  const F product = f * base.factor;
  const F product_low = fma(f, base.factor, -product);
  const F whole = k * base.unit;
  const F sum = whole + product;
  // Where k is not 0, it is more than the rest.
  const F sum_low = product - (sum - whole);
  const F rest = fma(tail, base.factor, fma(f, base.factor_low, product_low));
  return sum + (sum_low + fma(k, base.unit_low, rest));
}

DOUBLES F log(F x) {
  return logarithm(x, [](F f, F k) __attribute__((always_inline)) {
    return fma(k, short_ln_2, f + fma(k, short_ln_2_low, natural_tail(f)));
  });
}

DOUBLES F log2(F x) {
  return logarithm(x, [](F f, F k) __attribute__((always_inline)) {
    return logarithm_to({1, 0, 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56}, f, k);
  });
}

// Powers of ten come out exactly.
DOUBLES F log10(F x) {
  return logarithm(x, [](F f, F k) __attribute__((always_inline)) {
    return logarithm_to(
        {0x1.34413509f6000p-2, 0x1.9fef311f12b36p-42, 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57},
        f, k);
  });
}

// 1 + f = (1 + x) / 2^k, without the rounding of 1 + x.
DOUBLES F log1p(F x) {
  const MaskOf<F> ordinary = (x > -1) & (x < 0x1p1000);
  const F k = exponent_of(F(1 + x)).k;
  const F scale = power_of_two(rounded(F(-k)));
  const F f = fma(x, scale, scale - 1);
  const F f_low = fma(x, scale, (scale - 1) - f);
  const F rest = fma(k, short_ln_2_low, natural_tail(f) + f_low);
  // It has the sign of x, which -0 would lose.
  const F result = with_sign(fma(k, short_ln_2, f + rest), x);
  if (!any(~ordinary)) return result;
  return select(x >= 0x1p1000, log(x), select(x > -1, result, with_special(x + 1, result)));
}

}  // namespace gridspan::devices::cpu::math
