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
  if (!any(~ordinary)) {
    const auto [k, mantissa] = exponent_of(x);
    return compute(from_bits<F>(mantissa) - 1, k);
  }
  const MaskOf<F> is_small = x < 0x1p-1022;
  const auto [k, mantissa] = exponent_of(select(is_small, x * 0x1p54, x));
  const F count = k + select(is_small, F(-54), F(0));
  return with_special(x, compute(from_bits<F>(mantissa) - 1, count));
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

DOUBLES F log(F x) {
  return logarithm(x, [](F f, F k) __attribute__((always_inline)) {
    return fma(k, short_ln_2, f + fma(k, short_ln_2_low, natural_tail(f)));
  });
}

DOUBLES F log2(F x) {
  return logarithm(x, [](F f, F k) __attribute__((always_inline)) {
    constexpr double log2_e = 0x1.71547652b82fep+0, log2_e_low = 0x1.777d0ffda0d24p-56;
    return k + fma(f, log2_e, fma(natural_tail(f), log2_e, f * log2_e_low));
  });
}

// k * log10(2) is exact but for its low part, and the product with f in two numbers: powers of ten
// come out exactly.
DOUBLES F log10(F x) {
  return logarithm(x, [](F f, F k) __attribute__((always_inline)) {
    constexpr double log10_2 = 0x1.34413509f6000p-2, log10_2_low = 0x1.9fef311f12b36p-42;
    constexpr double log10_e = 0x1.bcb7b1526e50ep-2, log10_e_low = 0x1.95355baaafad3p-57;
    const F product = f * log10_e;
    const F product_low = fma(f, log10_e_low, fma(f, log10_e, -product));
    const F whole = k * log10_2;
    const F sum = whole + product;
    // Where k is not 0, it is more than the rest.
    const F sum_low = product - (sum - whole);
    const F rest = fma(natural_tail(f), log10_e, product_low);
    return sum + (sum_low + fma(k, log10_2_low, rest));
  });
}

// 1 + f = (1 + x) / 2^k, without the rounding of 1 + x.
DOUBLES F log1p(F x) {
  const MaskOf<F> ordinary = (x > -1) & (x < 0x1p1000);
  const BitsOf<F> field =
      (bits_of(F(1 + x)) + (double_one - double_root_half)) & 0x7ff0000000000000;
  const F k = from_bits<F>((field >> 52) | 0x4330000000000000) - (0x1p52 + 1023);
  const F scale = from_bits<F>(0x7fe0000000000000 - field);  // 2^-k
  const F f = fma(x, scale, scale - 1);
  const F f_low = fma(x, scale, (scale - 1) - f);
  const F rest = fma(k, short_ln_2_low, natural_tail(f) + f_low);
  // It has the sign of x, which -0 would lose.
  const F result = with_sign(fma(k, short_ln_2, f + rest), x);
  if (!any(~ordinary)) return result;
  return select(x >= 0x1p1000, log(x), select(x > -1, result, with_special(x + 1, result)));
}

}  // namespace gridspan::devices::cpu::math
