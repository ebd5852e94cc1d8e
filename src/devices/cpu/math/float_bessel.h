// j0, j1 and the modified functions i0, i1 of float.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's bounds: 9 ulp up to 8, and an error of 2.2e-6 above; 6 ulp of the modified functions. The
// method and the coefficients of the GPU's library (device_library/gpu/float_bessel.cpp).
#pragma once

#include "devices/cpu/math/float_powers.h"
#include "devices/cpu/math/trigonometric.h"

namespace gridspan::devices::cpu::math {

/// x^2 less the square of a zero, in two numbers: exact to half an ulp close to the zero, too.
FLOATS F from_zero(F x, float high, float low) { return fma(x, x, -high) - low; }

/// J0(x) for x <= 8: the first three zeros are factors, the rest a polynomial in x^2 - 32.
FLOATS F inner_j0(F x) {
  constexpr float series[] = {-0x1.2564cap-74F, 0x1.3cfa4p-65F,  -0x1.c2dc5ep-57F,
                              0x1.febfaap-49F,  -0x1.bc20ap-41F, 0x1.19a1bep-33F,
                              -0x1.e3fa8ep-27F, 0x1.ef7b16p-21F, -0x1.bf5476p-16F};
  const F zeros = from_zero(x, 0x1.721fb8p+2F, 0x1.18aeeep-28F) *
                  from_zero(x, 0x1.e78a4ap+4F, 0x1.88775cp-22F) *
                  from_zero(x, 0x1.2b8c4cp+6F, -0x1.f7aa26p-20F);
  return zeros * polynomial(series, fma(x, x, -32));
}
/// J1(x) / x likewise.
FLOATS F inner_j1(F x) {
  constexpr float series[] = {-0x1.0974aep-78F, 0x1.bdc6eap-70F,  -0x1.566a8cp-61F,
                              0x1.acabdap-53F,  -0x1.9e32ecp-45F, 0x1.2718eap-37F,
                              -0x1.20d17ap-30F, 0x1.568e3cp-24F,  -0x1.6e07fcp-19F};
  const F zeros = from_zero(x, 0x1.d5d2b4p+3F, 0x1.89822cp-25F) *
                  from_zero(x, 0x1.89bf66p+5F, 0x1.ca90c8p-25F) *
                  from_zero(x, 0x1.9dff70p+6F, 0x1.af0bc6p-19F);
  return zeros * polynomial(series, fma(x, x, -32));
}

/// J(x) for x > 8 is modulus * cos(phase); the modulus times sqrt(x), and the phase less
/// x - (2 order + 1) pi / 4 and times x, are polynomials in 1 / x^2.
template <class F, unsigned moduli, unsigned phases>
INLINED F outer_bessel(F x, const float (&modulus)[moduli], const float (&phase)[phases],
                       std::uint32_t quarters_more) {
  constexpr float eighth = 0x1.921fb6p-1F;
  const F inverse = 1 / x, square = inverse * inverse;
  const auto [quarters, rest] = reduce_quarter_turns(x);
  // Up to 3/8 of a half turn, and a little.
  const F angle = fma(polynomial(phase, square), inverse, rest - eighth);
  const F angle_square = angle * angle;
  const F at_0 =
      fma(polynomial(Sines<float>::half_turn, angle_square), angle_square * angle, angle);
  // The cosine is the sine of what is left of a quarter.
  const F left = 2 * eighth - abs(angle), left_square = left * left;
  const F at_1 = fma(polynomial(Sines<float>::half_turn, left_square), left_square * left, left);
  const BitsOf<F> all = quarters + quarters_more;
  const F wave = negative_if_odd(all >> 1, select(is_odd<F>(all), at_1, at_0));
  return select(x == __builtin_inff(), F(0), polynomial(modulus, square) / sqrt(x) * wave);
}

FLOATS F j0(F x) {
  constexpr float modulus[] = {-0x1.8a64dp-2F, 0x1.54ff88p-4F, -0x1.989878p-5F, 0x1.988454p-1F};
  constexpr float phase[] = {0x1.22ae88p0F, -0x1.a44a74p-3F, 0x1.0a9cdap-4F, -0x1.fffffep-4F};
  const F a = abs(x);
  const F inner = inner_j0(a);
  const MaskOf<F> is_inner = a <= 8;
  if (!any(~is_inner)) return inner;
  return select(is_inner, inner, outer_bessel(a, modulus, phase, 1));
}
FLOATS F j1(F x) {
  constexpr float modulus[] = {0x1.cc057p-2F, -0x1.36919ep-3F, 0x1.325baap-3F, 0x1.988454p-1F};
  constexpr float phase[] = {-0x1.b98b96p0F, 0x1.7680ecp-2F, -0x1.4ff968p-3F, 0x1.8p-2F};
  const F a = abs(x);
  const F inner = x * inner_j1(a);
  const MaskOf<F> is_inner = a <= 8;
  if (!any(~is_inner)) return inner;
  const F outer = outer_bessel(a, modulus, phase, 0);
  return select(is_inner, inner, from_bits<F>(bits_of(outer) ^ (bits_of(x) & 0x80000000)));
}

/// factor * e^x / sqrt(x), which overflows for x > 92.
FLOATS F grown(F factor, F x) {
  constexpr float log2_e = 0x1.715476p+0F, log2_e_low = 0x1.4ae0c0p-26F;
  const F cut = at_most(x, 150);
  const F exponent = cut * log2_e;
  const F rounding = fma(cut, log2_e, -exponent);
  return times_power_of_two(F(factor / sqrt(x)), exponent, fma(cut, log2_e_low, rounding));
}

// Up to 6 power series, whose terms are all positive.
FLOATS F cyl_bessel_i0(F x) {
  constexpr float near[] = {0x1.059acp-30F,  0x1.2535b6p-25F, 0x1.08731p-19F,
                            0x1.228318p-14F, 0x1.c73a1ap-10F, 0x1.c71a12p-6F,
                            0x1.000016p-2F,  0x1.fffffep-1F,  1};
  constexpr float far[] = {0x1.509de4p-1F, 0x1.1072ap-2F,  -0x1.425ad4p-6F, 0x1.287b0ap-5F,
                           0x1.c6828p-6F,  0x1.988f0ep-5F, 0x1.988452p-2F};
  const F a = abs(x);
  const F inner = polynomial(near, a * a * 0.25F);
  const MaskOf<F> is_near = a <= 6;
  if (!any(~is_near)) return inner;
  const F outer = select(a < 150, grown(polynomial(far, 1 / a), a), a + __builtin_inff());
  return select(is_near, inner, outer);
}
FLOATS F cyl_bessel_i1(F x) {
  constexpr float near[] = {0x1.082bbcp-27F, 0x1.fdbcd6p-23F, 0x1.8d0832p-17F, 0x1.6b1f5cp-12F,
                            0x1.c738b2p-8F,  0x1.5553e2p-4F,  0x1.00000cp-1F,  1};
  constexpr float far[] = {-0x1.176d22p0F,  -0x1.2963eep-3F, -0x1.f4365cp-7F, -0x1.797934p-5F,
                           -0x1.7d0f8ep-5F, -0x1.326536p-3F, 0x1.988454p-2F};
  const F a = abs(x);
  const F inner = x * 0.5F * polynomial(near, a * a * 0.25F);
  const MaskOf<F> is_near = a <= 6;
  if (!any(~is_near)) return inner;
  const F outer = select(a < 150, grown(polynomial(far, 1 / a), a), a + __builtin_inff());
  return select(is_near, inner, with_sign(outer, x));
}

}  // namespace gridspan::devices::cpu::math
