// Powers of 2, e and 10 of double.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// b^x = 2^n * b^r, n the integer closest to x * log2(b): b^r is a polynomial, and 2^n goes into the
// exponent (W. J. Cody and W. Waite, Software Manual for the Elementary Functions, 1980). 1 ulp.
// Coefficients: those of the GPU's library (device_library/gpu), off by less than 2^-57.
#pragma once

#include "devices/cpu/math/lanes.h"

namespace gridspan::devices::cpu::math {

constexpr double log2_e = 0x1.71547652b82fep+0;
constexpr double ln_2 = 0x1.62e42fefa39efp-1, ln_2_low = 0x1.abc9e3b39803fp-56;

/// mantissa * 2^n
template <class F>
struct PowerOfE {
  F mantissa;
  Rounded<F> n;
};

/// e^(x + low) for |x| < 2^20.
DOUBLES PowerOfE<F> power_of_e(F x, Same<F> low) {
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
  const Rounded<F> n = rounded_product(x, log2_e);
  // The first is exact.
  const F r = fma(n.number, -ln_2_low, fma(n.number, -ln_2, x) + low);
  return {polynomial(series, r), n};
}

/// 2^r, |r| <= 1/2 and a little.
DOUBLES F power_near_zero(F r) {
  constexpr double series[] = {0x1.eb16d2c8b89d5p-32, 0x1.e61cad31f0bd6p-28, 0x1.b524124bd2e46p-24,
                               0x1.62bfc6c9f510bp-20, 0x1.ffcbfce32bb02p-17, 0x1.4309130f309ebp-13,
                               0x1.5d87fe7887455p-10, 0x1.3b2ab6fb9ff50p-7,  0x1.c6b08d704a189p-5,
                               0x1.ebfbdff82c5a5p-3,  0x1.62e42fefa39efp-1,  1};
  return polynomial(series, r);
}

DOUBLES F exp(F x) {
  const auto [mantissa, n] = power_of_e(at_most(at_least(x, -750), 710), -0.0);
  return scaled(mantissa, n);
}

DOUBLES F exp2(F x) {
  x = at_most(at_least(x, -1080), 1030);
  const Rounded<F> n = rounded(x);
  return scaled(power_near_zero(x - n.number), n);
}

DOUBLES F exp10(F x) {
  constexpr double log2_10 = 0x1.a934f0979a371p+1;
  constexpr double log10_2 = 0x1.34413509f79ffp-2, log10_2_low = -0x1.9dc1da994fd21p-59;
  // |r| <= log10(2) / 2
  constexpr double series[] = {0x1.f8feb6556fe54p-13, 0x1.2f7556e918d36p-10, 0x1.489921e04b51fp-8,
                               0x1.41165d8c21186p-6,  0x1.16e4df2a87484p-4,  0x1.a7ed70a267b55p-3,
                               0x1.1429ffd20e8b7p-1,  0x1.2bd7609fd4d49p+0,  0x1.0470591de2b79p+1,
                               0x1.53524c73cea78p+1,  0x1.26bb1bbb55516p+1,  1};
  x = at_most(at_least(x, -330), 310);
  const Rounded<F> n = rounded_product(x, log2_10);
  // The first is exact.
  const F r = fma(n.number, -log10_2_low, fma(n.number, -log10_2, x));
  return scaled(polynomial(series, r), n);
}

/// e^x - 1 = 2^n (e^r - 1) + (2^n - 1), where n is not 0 with the rounding errors of e^r - 1; in
/// halves, because 2^n may be too large by a factor of 2.
DOUBLES F expm1(F x) {
  // (e^r - 1 - r) / r^2, |r| <= ln(2) / 2
  constexpr double series[] = {0x1.af61dccd80562p-26, 0x1.2891ef2d385cdp-22, 0x1.71ddf779b2abdp-19,
                               0x1.a019b8a06dbffp-16, 0x1.a01a01afbb418p-13, 0x1.6c16c178b0fdbp-10,
                               0x1.111111110f8d5p-7,  0x1.5555555553ccdp-5,  0x1.5555555555558p-3,
                               0x1.0000000000001p-1};
  const F cut = at_most(at_least(x, -50), 709.9);
  const Rounded<F> n = rounded_product(cut, log2_e);
  const F first = fma(n.number, -ln_2, cut);  // exact
  const F r = fma(n.number, -ln_2_low, first);
  const F r_low = fma(n.number, -ln_2_low, first - r);
  const F rest = fma(r * r, polynomial(series, r), r_low);
  const F power = r + rest, power_low = rest - (power - r);
  const F half = power_of_two(Rounded<F>{n.number - 1, n.shifted - 1});
  const F result = 2 * fma(power_low, half, fma(power, half, half - 0.5));
  // It has the sign of x, which -0 would lose.
  return select(n.number == 0, with_sign(power, x), result);
}

}  // namespace gridspan::devices::cpu::math
