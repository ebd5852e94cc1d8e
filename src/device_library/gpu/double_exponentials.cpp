// exp, exp2 and exp10 of double.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// b^x = 2^k * b^r with k = x * log2(b), rounded to an integer: b^r is a polynomial, and 2^k goes
// into the exponent field. 1 ulp. Polynomials: Sollya's fpminimax, off by less than 2^-57.
#include "../series.h"
#include "double_words.h"
#include "gpu.h"

using namespace gridspan::device_library;

namespace {

#define HELPER static inline __attribute__((always_inline))

/// `mantissa` * 2^exponent for b^x, where that may be no normal number. Beyond ±limit it is 0 or
/// infinity.
HELPER double far_power(double x, double mantissa, int exponent, double limit) {
  if (!(__builtin_fabs(x) < limit)) return x > 0 ? __builtin_inf() : x < 0 ? 0 : x + x;
  const int half = exponent / 2;
  return scaled(mantissa, half) * scaled(1, exponent - half);
}

}  // namespace

DEVICE_FUNCTION double exp(double x) {
  constexpr double log2_e = 0x1.71547652b82fep+0;
  constexpr double ln_2 = 0x1.62e42fefa39efp-1, ln_2_low = 0x1.abc9e3b39803fp-56;
  // |r| <= ln(2) / 2
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
  const double r = __builtin_fma(-k, ln_2_low, __builtin_fma(-k, ln_2, x));
  const double mantissa = polynomial(series, r);
  if (magnitude_word(x) < 0x40862000) return scaled(mantissa, exponent);
  return far_power(x, mantissa, exponent, 750);
}

DEVICE_FUNCTION double exp2(double x) {
  // |r| <= 1/2
  constexpr double series[] = {0x1.eb16d2c8b89d5p-32, 0x1.e61cad31f0bd6p-28, 0x1.b524124bd2e46p-24,
                               0x1.62bfc6c9f510bp-20, 0x1.ffcbfce32bb02p-17, 0x1.4309130f309ebp-13,
                               0x1.5d87fe7887455p-10, 0x1.3b2ab6fb9ff50p-7,  0x1.c6b08d704a189p-5,
                               0x1.ebfbdff82c5a5p-3,  0x1.62e42fefa39efp-1,  1};
  const auto [k, exponent] = rounded_product(x, 1);
  const double mantissa = polynomial(series, x - k);
  if (magnitude_word(x) < 0x408ff000) return scaled(mantissa, exponent);
  return far_power(x, mantissa, exponent, 1100);
}

DEVICE_FUNCTION double __nv_exp10(double x) {
  constexpr double log2_10 = 0x1.a934f0979a371p+1;
  constexpr double log10_2 = 0x1.34413509f79ffp-2, log10_2_low = -0x1.9dc1da994fd21p-59;
  // |r| <= log10(2) / 2
  constexpr double series[] = {0x1.f8feb6556fe54p-13, 0x1.2f7556e918d36p-10, 0x1.489921e04b51fp-8,
                               0x1.41165d8c21186p-6,  0x1.16e4df2a87484p-4,  0x1.a7ed70a267b55p-3,
                               0x1.1429ffd20e8b7p-1,  0x1.2bd7609fd4d49p+0,  0x1.0470591de2b79p+1,
                               0x1.53524c73cea78p+1,  0x1.26bb1bbb55516p+1,  1};
  const auto [k, exponent] = rounded_product(x, log2_10);
  // The first is exact.
  const double r = __builtin_fma(-k, log10_2_low, __builtin_fma(-k, log10_2, x));
  const double mantissa = polynomial(series, r);
  if (magnitude_word(x) < 0x40733000) return scaled(mantissa, exponent);
  return far_power(x, mantissa, exponent, 340);
}
