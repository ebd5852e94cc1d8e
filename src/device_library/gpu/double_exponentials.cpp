// exp, exp2, exp10 and expm1 of double.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// b^x = 2^k * b^r with k = x * log2(b), rounded to an integer: b^r is a polynomial, and 2^k goes
// into the exponent field. 1 ulp. Polynomials: Sollya's fpminimax, off by less than 2^-57.
#include "double_powers_of_e.h"
#include "gpu.h"

using namespace gridspan::device_library;

namespace {

#define HELPER static inline __attribute__((always_inline))

/// `mantissa` * 2^exponent for b^x, where that may be no normal number. Beyond ±limit it is 0 or
/// infinity.
HELPER double far_power(double x, double mantissa, int exponent, double limit) {
  if (!(__builtin_fabs(x) < limit)) return x > 0 ? __builtin_inf() : x < 0 ? 0 : x + x;
  return scaled_far(mantissa, exponent);
}

}  // namespace

DEVICE_FUNCTION double exp(double x) {
  const auto [mantissa, exponent] = power_of_e(x, -0.0);
  if (magnitude_word(x) < 0x40862000) return scaled(mantissa, exponent);
  return far_power(x, mantissa, exponent, 750);
}

// e^x - 1 = 2^k (e^r - 1) + (2^k - 1), where k is not 0 with the rounding errors of e^r - 1.
DEVICE_FUNCTION double expm1(double x) {
  constexpr double log2_e = 0x1.71547652b82fep+0;
  constexpr double ln_2 = 0x1.62e42fefa39efp-1, ln_2_low = 0x1.abc9e3b39803fp-56;
  // (e^r - 1 - r) / r^2, |r| <= ln(2) / 2
  constexpr double series[] = {0x1.af61dccd80562p-26, 0x1.2891ef2d385cdp-22, 0x1.71ddf779b2abdp-19,
                               0x1.a019b8a06dbffp-16, 0x1.a01a01afbb418p-13, 0x1.6c16c178b0fdbp-10,
                               0x1.111111110f8d5p-7,  0x1.5555555553ccdp-5,  0x1.5555555555558p-3,
                               0x1.0000000000001p-1};
  if (!(x > -50)) return x <= -50 ? -1 : x;
  if (x > 700) return exp(x);
  const auto [k, exponent] = rounded_product(x, log2_e);
  const double first = __builtin_fma(-k, ln_2, x);  // exact
  const double r = __builtin_fma(-k, ln_2_low, first);
  const double r_low = __builtin_fma(-k, ln_2_low, first - r);
  const double rest = __builtin_fma(r * r, polynomial(series, r), r_low);
  const double power = r + rest, power_low = rest - (power - r);
  const double scale = scaled(1, exponent);
  const double sum = __builtin_fma(power, scale, scale - 1);
  // It has the sign of x, which -0 would lose.
  return __builtin_copysign(exponent == 0 ? power : __builtin_fma(power_low, scale, sum), x);
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
