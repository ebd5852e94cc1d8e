// sinpif, cospif and sincospif in float arithmetic: arguments in half turns reduce exactly.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu.h"

namespace {

#define HELPER static inline __attribute__((always_inline))

/// x = 2 n + quarters / 2 + rest, |rest| <= 1/4.
struct Reduced {
  int quarters;
  float rest;
};
HELPER Reduced reduce(float x) {
  constexpr float bias = 0x1.8p23F;  // the last bits of sums are integers
  const float turned = __builtin_fmaf(__builtin_rintf(x * 0.5F), -2.0F, x);  // from -1 to 1
  const float shifted = __builtin_fmaf(turned, 2.0F, bias);
  const float rest = __builtin_fmaf(shifted - bias, -0.5F, turned);
  return {__builtin_bit_cast(int, shifted), rest};
}

/// The sine of pi * x, and of that many quarters of a turn more: one of two polynomials, so that
/// threads of a warp go the same way. 1 ulp. Sollya's fpminimax, off by 2^-29.
HELPER float sine_of(int quarters, float x) {
  constexpr float pi = 0x1.921fb6p+1F, pi_low = -0x1.777a5cp-24F;
  // (sin(pi x) - pi x) / x^3 and (cos(pi x) - 1) / x^2 in x^2.
  constexpr float sine[] = {0x1.3ef73ep-4F, -0x1.329de8p-1F, 0x1.466b62p+1F, -0x1.4abbcep+2F};
  constexpr float cosine[] = {0x1.d09344p-3F, -0x1.55a5b0p+0F, 0x1.03c19ep+2F, -0x1.3bd3ccp+2F};
  const bool is_cosine = (quarters & 1) != 0;
  const float square = x * x;
  float series = is_cosine ? cosine[0] : sine[0];
#pragma unroll
  for (unsigned i = 1; i < 4; ++i)
    series = __builtin_fmaf(series, square, is_cosine ? cosine[i] : sine[i]);
  series = __builtin_fmaf(series, square, is_cosine ? 1 : pi_low);
  const float value = is_cosine ? series : __builtin_fmaf(x, pi, x * series);
  return (quarters & 2) != 0 ? -value : value;
}

/// Integers have the sine 0, with the sign of the argument.
HELPER float sine_of(float x, Reduced reduced) {
  const float sine = sine_of(reduced.quarters, reduced.rest);
  return sine == 0 ? __builtin_copysignf(0, x) : sine;
}
/// Halves have the cosine 0.
HELPER float cosine_of(Reduced reduced) {
  return sine_of(reduced.quarters + 1, reduced.rest) + 0.0F;
}

}  // namespace

DEVICE_FUNCTION float __nv_sinpif(float x) { return sine_of(x, reduce(x)); }
DEVICE_FUNCTION float __nv_cospif(float x) { return cosine_of(reduce(x)); }
DEVICE_FUNCTION void __nv_sincospif(float x, float* sine, float* cosine) {
  const Reduced reduced = reduce(x);
  *sine = sine_of(x, reduced);
  *cosine = cosine_of(reduced);
}
