// Logarithms of float.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// x = 2^k * (1 + f), 1 + f around 1; ln(1 + f) is f - f^2 / 2 and a polynomial (J.-M. Muller,
// Elementary Functions, 2016). The coefficients are those of the GPU's library
// (device_library/gpu/float_logarithms.cpp).
#pragma once

#include "devices/cpu/math/lanes.h"

namespace gridspan::devices::cpu::math {

constexpr float float_ln_2 = 0x1.62e430p-1F;
constexpr std::uint32_t two_thirds = 0x3f2aaaab, float_root_half = 0x3f3504f3;

/// x = 2^k * (1 + f), 1 + f from `least` (its bits) to its double.
template <class F>
struct Split {
  F f, k;
};
FLOATS Split<F> split(F x, std::uint32_t least) {
  const BitsOf<F> field = (bits_of(x) - least) & 0xff800000;
  return {from_bits<F>(bits_of(x) - field) - 1, number_of<F>(as_signed<F>(field) >> 23)};
}

/// Is x positive, normal and finite?
FLOATS MaskOf<F> is_ordinary(F x) { return bits_of(x) - 0x00800000 < 0x7f000000; }
/// The logarithm of what is not positive or not finite, else `logarithm`.
LANES F with_special(F x, F logarithm) {
  constexpr auto infinity = static_cast<RealOf<F>>(__builtin_inf());
  const F above = select(x > 0, x + x, F(-infinity));
  const F special = select(x < 0, F(__builtin_nan("")), select(is_number(x), above, x));
  return select((x > 0) & (x < infinity), logarithm, special);
}

/// compute(f, k) for ln(x) and others, from the parts of x.
template <class F, class Compute>
  requires(is_float<F>)
INLINED F logarithm(F x, std::uint32_t least, Compute compute) {
  const MaskOf<F> ordinary = is_ordinary(x);
  if (!any(~ordinary)) {
    const auto [f, k] = split(x, least);
    return compute(f, k);
  }
  const MaskOf<F> is_small = x < 0x1p-126F;
  const auto [f, k] = split(select(is_small, x * 0x1p23F, x), least);
  return with_special(x, compute(f, k + select(is_small, F(-23), F(0))));
}

/// ln(1 + f), 1 + f from 2/3 to 4/3, in two parts: f, and this.
FLOATS F natural_tail(F f) {
  // (ln(1 + f) - f + f^2 / 2) / f^3
  constexpr float series[] = {0x1.d01a22p-4F,  -0x1.fcd036p-4F, 0x1.bf1af0p-4F,
                              -0x1.f75896p-4F, 0x1.24b28cp-3F,  -0x1.557832p-3F,
                              0x1.999954p-3F,  -0x1.ffffb6p-3F, 0x1.555556p-2F};
  return fma(polynomial(series, f), f, -0.5F) * (f * f);
}

// 1 ulp.
FLOATS F log(F x) {
  return logarithm(x, two_thirds, [](F f, F k) __attribute__((always_inline)) {
    return fma(k, float_ln_2, f + natural_tail(f));
  });
}

// 1 ulp.
FLOATS F log2(F x) {
  return logarithm(x, float_root_half, [](F f, F k) __attribute__((always_inline)) {
    constexpr float log2_e = 0x1.715476p+0F, log2_e_low = 0x1.4ae0c0p-26F;
    // (log2(1 + f) - f / ln(2)) / f^2: Remez' algorithm, off by 2^-25 / |f|.
    constexpr float series[] = {-0x1.dc8f22p-4F, 0x1.7dacfcp-3F,  -0x1.823f52p-3F,
                                0x1.a2c652p-3F,  -0x1.eb531ap-3F, 0x1.2780f6p-2F,
                                -0x1.71574ep-2F, 0x1.ec708ap-2F,  -0x1.715476p-1F};
    const F tail = fma(f * f, polynomial(series, f), f * log2_e_low);
    return k + fma(f, log2_e, tail);
  });
}

// 2 ulp.
FLOATS F log10(F x) {
  return logarithm(x, two_thirds, [](F f, F k) __attribute__((always_inline)) {
    constexpr float log10_e = 0x1.bcb7b2p-2F, log10_e_low = -0x1.5b235ep-27F;
    constexpr float log10_2 = 0x1.344136p-2F, log10_2_low = -0x1.ec10c0p-27F;
    // (log10(1 + f) - f / ln(10)) / f^2: Remez' algorithm, off by 2^-25 / |f|.
    constexpr float series[] = {0x1.f57e36p-5F, -0x1.0bb616p-4F, 0x1.f1aa5ap-5F, -0x1.252f88p-4F,
                                0x1.63f83p-4F,  -0x1.bccad8p-4F, 0x1.287a34p-3F, -0x1.bcb7a8p-3F};
    const F low = fma(k, log10_2_low, f * log10_e_low);
    return fma(k, log10_2, fma(f, log10_e, fma(f * f, polynomial(series, f), low)));
  });
}

// (1 + x) / 2^k - 1 is computed without the rounding of 1 + x. 1 ulp.
FLOATS F log1p(F x) {
  const MaskOf<F> ordinary = (x > -1) & (x < 0x1p126F);
  const BitsOf<F> field = (bits_of(F(1 + x)) - two_thirds) & 0xff800000;
  const F scale = from_bits<F>(0x3f800000 - field);
  const F f = fma(x, scale, scale - 1);
  const F f_low = fma(x, scale, (scale - 1) - f);
  const F k = number_of<F>(as_signed<F>(field) >> 23);
  // It has the sign of x, which -0 would lose.
  const F result = with_sign(fma(k, float_ln_2, f + (natural_tail(f) + f_low)), x);
  if (!any(~ordinary)) return result;
  return select(x >= 0x1p126F, log(x), select(x > -1, result, with_special(x + 1, result)));
}

}  // namespace gridspan::devices::cpu::math
