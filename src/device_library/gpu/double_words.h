// The two words of a double: its sign, exponent and first places, and the other 32 places.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace gridspan::device_library {

// Instructions, which LLVM leaves alone: it would do arithmetic of 64 bits instead, which takes
// two.
static inline __attribute__((always_inline)) unsigned high_word(double x) {
  return static_cast<unsigned>(__nvvm_d2i_hi(x));
}
static inline __attribute__((always_inline)) unsigned low_word(double x) {
  return static_cast<unsigned>(__nvvm_d2i_lo(x));
}
static inline __attribute__((always_inline)) double from_words(unsigned high, unsigned low) {
  return __nvvm_lohi_i2d(static_cast<int>(low), static_cast<int>(high));
}
/// Without the sign: grows with the magnitude, from 0x7ff00000 on for infinity and NaN.
static inline __attribute__((always_inline)) unsigned magnitude_word(double x) {
  return high_word(x) & 0x7fffffff;
}

/// An integer as a double, by one addition: conversions are slow.
static inline __attribute__((always_inline)) double to_double(int i) {
  return from_words(0x43300000, static_cast<unsigned>(i) ^ 0x80000000) - (0x1p52 + 0x1p31);
}

/// To the nearest integer, |x| < 2^31.
struct Rounded {
  double number;
  int integer;
};
static inline __attribute__((always_inline)) Rounded rounded(double shifted) {
  return {shifted - 0x1.8p52, static_cast<int>(low_word(shifted))};
}
/// x * y, rounded to the nearest integer.
static inline __attribute__((always_inline)) Rounded rounded_product(double x, double y) {
  return rounded(__builtin_fma(x, y, 0x1.8p52));
}

/// x * 2^exponent, where both numbers are normal ones.
static inline __attribute__((always_inline)) double scaled(double x, int exponent) {
  return from_words(high_word(x) + (static_cast<unsigned>(exponent) << 20), low_word(x));
}

/// 1 / x for normal x whose inverse is normal, off by little more than half an ulp: the instruction
/// has some 20 bits, the step three times as many.
static inline __attribute__((always_inline)) double inverse_of(double x) {
  const double inverse = __nvvm_rcp_approx_ftz_d(x);
  const double missing = __builtin_fma(-x, inverse, 1.0);
  return __builtin_fma(inverse, __builtin_fma(missing, missing, missing), inverse);
}

/// 1 / sqrt(x) with some 20 bits: an instruction that clang has no builtin for. Subnormal numbers
/// are 0 to it.
double rough_inverse_root(double x) __asm__("llvm.nvvm.rsqrt.approx.ftz.d");

}  // namespace gridspan::device_library
