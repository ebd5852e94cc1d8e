// log2(x) as a sum of two numbers, to some 31 bits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../series.h"

namespace gridspan::device_library {

/// high + low, |low| less than half an ulp of high.
struct Pair {
  float high, low;
};

/// log2(x * 2^more) of a positive normal number: x = 2^k * m, m from sqrt(1/2) to sqrt(2),
/// log2(m) = 2 / ln(2) * artanh(s), s = (m - 1) / (m + 1).
static inline __attribute__((always_inline)) Pair binary_logarithm(float x, int more) {
  constexpr unsigned root_half = 0x3f3504f3;
  constexpr float two_over_ln_2 = 0x1.715476p+1F, two_over_ln_2_low = 0x1.4ae0c0p-25F;
  // (log2(m) / s - 2 / ln(2)) / z for z = s^2 < 0.0295, off by 2^-27 of itself.
  constexpr float series[] = {0x1.558c9ep-2F, 0x1.a5f2acp-2F, 0x1.2776b2p-1F, 0x1.ec709ep-1F};
  const unsigned shifted = __builtin_bit_cast(unsigned, x) - root_half;
  const int k = static_cast<int>(shifted) >> 23;
  const float f = __builtin_bit_cast(float, (shifted & 0x7fffff) + root_half) - 1;
  const float inverse = __nvvm_rcp_approx_ftz_f(2 + f);
  const float s = f * inverse;
  // What is missing from f - s * (2 + f), where 2 + f need be no number.
  const float missing = __builtin_fmaf(-s, f, __builtin_fmaf(-2.0F, s, f));
  const float z = s * s;
  const float high = s * two_over_ln_2;
  float low = __builtin_fmaf(s, two_over_ln_2, -high);
  low = __builtin_fmaf(s, two_over_ln_2_low, low);
  // The slope of artanh is 1 + z + ...
  low = __builtin_fmaf(missing * inverse, __builtin_fmaf(two_over_ln_2, z, two_over_ln_2), low);
  low = __builtin_fmaf(s * z, polynomial(series, z), low);
  // Where k is not 0, it is more than the rest.
  const float whole = static_cast<float>(k + more), sum = whole + high;
  const float sum_low = (high - (sum - whole)) + low;
  const float logarithm = sum + sum_low;
  return {logarithm, sum_low - (logarithm - sum)};
}

}  // namespace gridspan::device_library
