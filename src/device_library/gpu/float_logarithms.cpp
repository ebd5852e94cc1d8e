// Logarithms of float in float arithmetic, and the inverse hyperbolic functions made of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../series.h"
#include "gpu.h"

using namespace gridspan::device_library;

namespace {

#define HELPER static inline __attribute__((always_inline))

constexpr float infinity = __builtin_inff();
constexpr float ln_2 = 0x1.62e430p-1F;

HELPER int bits_of(float x) { return __builtin_bit_cast(int, x); }
HELPER float from_bits(int bits) { return __builtin_bit_cast(float, bits); }

/// As integers, positive numbers that are finite lie between 0 and infinity.
HELPER bool is_ordinary(float x) { return static_cast<unsigned>(bits_of(x) - 1) < 0x7f7fffffU; }
HELPER float logarithm_of_special(float x) {
  return x == 0 ? -infinity : x < 0 ? __builtin_nanf("") : x + x;
}

/// x = 2^k * (1 + f), 1 + f from `least` (its bits) to its double; the exponent field is k's.
struct Split {
  float f;
  int field;
};
HELPER Split split(float x, int least) {
  const int field = (bits_of(x) - least) & static_cast<int>(0xff800000);
  return {from_bits(bits_of(x) - field) - 1, field};
}
HELPER float number_of(int field) { return static_cast<float>(field) * 0x1p-23F; }

constexpr int two_thirds = 0x3f2aaaab, root_half = 0x3f3504f3;

/// ln(1 + f), 1 + f from 2/3 to 4/3, in two parts: f, and this.
HELPER float natural_tail(float f) {
  // (ln(1 + f) - f + f^2 / 2) / f^3
  constexpr float series[] = {0x1.d01a22p-4F,  -0x1.fcd036p-4F, 0x1.bf1af0p-4F,
                              -0x1.f75896p-4F, 0x1.24b28cp-3F,  -0x1.557832p-3F,
                              0x1.999954p-3F,  -0x1.ffffb6p-3F, 0x1.555556p-2F};
  return __builtin_fmaf(polynomial(series, f), f, -0.5F) * (f * f);
}

/// (log2(1 + f) - f / ln(2)) / f^2, 1 + f from sqrt(1/2) to sqrt(2), off by 2^-27.
HELPER float binary_tail(float f) {
  constexpr float series[] = {0x1.902b9cp-4F, -0x1.558cc2p-3F, 0x1.5d0292p-3F, -0x1.6efae4p-3F,
                              0x1.a48314p-3F, -0x1.ec774ep-3F, 0x1.277c40p-2F, -0x1.715480p-2F,
                              0x1.ec7094p-2F, -0x1.715476p-1F};
  return polynomial(series, f);
}

/// ln(1 + x), x from above -1 to 2^26: (1 + x) / 2^k - 1 is computed without the rounding of 1 + x.
HELPER float logarithm_of_successor(float x) {
  const int field = split(1 + x, two_thirds).field;
  const float scale = from_bits(0x3f800000 - field);
  const float f = __builtin_fmaf(x, scale, scale - 1);
  const float f_low = __builtin_fmaf(x, scale, (scale - 1) - f);
  return __builtin_fmaf(number_of(field), ln_2, f + (natural_tail(f) + f_low));
}

}  // namespace

// 1 ulp.
DEVICE_FUNCTION float logf(float x) {
  const bool is_small = x < 0x1p-126F;
  const auto [f, field] = split(is_small ? x * 0x1p23F : x, two_thirds);
  const float k = __builtin_fmaf(static_cast<float>(field), 0x1p-23F, is_small ? -23.0F : 0.0F);
  const float logarithm = __builtin_fmaf(k, ln_2, f + natural_tail(f));
  return is_ordinary(x) ? logarithm : logarithm_of_special(x);
}

// 1 ulp.
DEVICE_FUNCTION float log2f(float x) {
  constexpr float log2_e = 0x1.715476p+0F, log2_e_low = 0x1.4ae0c0p-26F;
  const bool is_small = x < 0x1p-126F;
  const auto [f, field] = split(is_small ? x * 0x1p23F : x, root_half);
  const float k = __builtin_fmaf(static_cast<float>(field), 0x1p-23F, is_small ? -23.0F : 0.0F);
  const float tail = __builtin_fmaf(f * f, binary_tail(f), f * log2_e_low);
  const float logarithm = k + __builtin_fmaf(f, log2_e, tail);
  return is_ordinary(x) ? logarithm : logarithm_of_special(x);
}

// 2 ulp.
DEVICE_FUNCTION float log10f(float x) {
  constexpr float log10_e = 0x1.bcb7b2p-2F, log10_e_low = -0x1.5b235ep-27F;
  constexpr float log10_2 = 0x1.344136p-2F, log10_2_low = -0x1.ec10c0p-27F;
  const bool is_small = x < 0x1p-126F;
  const auto [f, field] = split(is_small ? x * 0x1p23F : x, two_thirds);
  const float k = __builtin_fmaf(static_cast<float>(field), 0x1p-23F, is_small ? -23.0F : 0.0F);
  const float low = __builtin_fmaf(k, log10_2_low, f * log10_e_low);
  const float tail = __builtin_fmaf(natural_tail(f), log10_e, low);
  const float logarithm = __builtin_fmaf(k, log10_2, __builtin_fmaf(f, log10_e, tail));
  return is_ordinary(x) ? logarithm : logarithm_of_special(x);
}

// 1 ulp.
DEVICE_FUNCTION float log1pf(float x) {
  if (!(x > -1 && x < 0x1p25F)) return x > -1 ? logf(x) : logarithm_of_special(x + 1);
  // It has the sign of x, which -0 would lose.
  return __builtin_copysignf(logarithm_of_successor(x), x);
}

// ln(a + sqrt(a^2 + 1)), where that is 1 and little more, too. 3 ulp.
DEVICE_FUNCTION float asinhf(float x) {
  const float a = __builtin_fabsf(x);
  if (!(a < 0x1p24F)) return a < infinity ? __builtin_copysignf(logf(a) + ln_2, x) : x + x;
  const float root = __nvvm_sqrt_approx_ftz_f(__builtin_fmaf(a, a, 1.0F));
  const float sum = __builtin_fmaf(a, a * __nvvm_rcp_approx_ftz_f(1 + root), a);
  return __builtin_copysignf(logarithm_of_successor(sum), x);
}

// ln(x + sqrt(x^2 - 1)). 4 ulp.
DEVICE_FUNCTION float acoshf(float x) {
  if (!(x >= 1 && x < 0x1p24F)) return x >= 1 ? logf(x) + ln_2 : __builtin_nanf("");
  const float t = x - 1;
  return logarithm_of_successor(t + __nvvm_sqrt_approx_ftz_f(__builtin_fmaf(t, t, 2 * t)));
}

// ln((1 + a) / (1 - a)) / 2. 3 ulp.
DEVICE_FUNCTION float atanhf(float x) {
  const float a = __builtin_fabsf(x);
  if (!(a < 1)) return a == 1 ? x * infinity : __builtin_nanf("");
  const float quotient = 2 * a * __nvvm_rcp_approx_ftz_f(1 - a);
  return __builtin_copysignf(0.5F * logarithm_of_successor(quotient), x);
}
