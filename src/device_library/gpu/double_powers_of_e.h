// e^x of double as a number close to 1 and a power of 2.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../series.h"
#include "double_words.h"

namespace gridspan::device_library {

/// mantissa * 2^exponent
struct PowerOfE {
  double mantissa;
  int exponent;
};

/// e^(x + low) for |x| < 2^20. Sollya's fpminimax, |r| <= ln(2) / 2, off by less than 2^-57.
static inline __attribute__((always_inline)) PowerOfE power_of_e(double x, double low) {
  constexpr double log2_e = 0x1.71547652b82fep+0;
  constexpr double ln_2 = 0x1.62e42fefa39efp-1, ln_2_low = 0x1.abc9e3b39803fp-56;
  constexpr double series[] = {0x1.af858df8a42c7p-26,
                               0x1.28b10752f482ap-22,
                               0x1.71dddfc93df18p-19,
                               0x1.a01995aaf1667p-16,
                               0x1.a01a01bae2a17p-13,
                               0x1.6c16c1860bca9p-10,
                               0x1.111111110d63cp-7,
                               0x1.555555554fdf8p-5,
                               0x1.5555555555561p-3,
                               0x1.000000000000cp-1,
                               1,
                               1};
  const auto [k, exponent] = rounded_product(x, log2_e);
  // The first is exact.
  const double r = __builtin_fma(-k, ln_2_low, __builtin_fma(-k, ln_2, x) + low);
  return {polynomial(series, r), exponent};
}

/// x * 2^exponent in two steps, where that may be no normal number.
static inline __attribute__((always_inline)) double scaled_far(double x, int exponent) {
  const int half = exponent / 2;
  return scaled(x, half) * scaled(1, exponent - half);
}

}  // namespace gridspan::device_library
