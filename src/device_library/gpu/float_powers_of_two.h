// 2^x for exponents in two parts, to less than an ulp.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../series.h"

namespace gridspan::device_library {

/// factor * 2^(high + low), for |high| < 250; what is no normal number is rounded once more.
static inline __attribute__((always_inline)) float times_power_of_two(float factor, float high,
                                                                      float low) {
  constexpr float bias = 0x1.8p23F;  // the last bits of sums are integers
  // For |r| <= 1/2, off by 2^-27: Sollya's fpminimax.
  constexpr float series[] = {0x1.442512p-13F,
                              0x1.5ef5d2p-10F,
                              0x1.3b2a48p-7F,
                              0x1.c6af9cp-5F,
                              0x1.ebfbe0p-3F,
                              0x1.62e430p-1F,
                              1};
  const float shifted = high + bias;
  const float r = (high - (shifted - bias)) + low;
  const int n =
      static_cast<int>(__builtin_bit_cast(unsigned, shifted) - __builtin_bit_cast(unsigned, bias));
  // In two steps, because 2^n need not be a normal number.
  const int half = n >> 1, rest = n - half;
  const auto power = [](int exponent) __attribute__((always_inline)) {
    return __builtin_bit_cast(float, static_cast<unsigned>(exponent + 127) << 23);
  };
  return factor * polynomial(series, r) * power(half) * power(rest);
}

}  // namespace gridspan::device_library
