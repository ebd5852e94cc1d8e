// tgammaf and lgammaf in float arithmetic.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Polynomials: Sollya's fpminimax.
#include "../series.h"
#include "float_binary_logarithm.h"
#include "float_powers_of_two.h"
#include "gpu.h"

using namespace gridspan::device_library;

float logf(float) __asm__("logf");
float sinpi_of(float) __asm__("__nv_sinpif");

namespace {

#define HELPER static inline __attribute__((always_inline))

constexpr float infinity = __builtin_inff(), pi = 0x1.921fb6p+1F;

/// 1 / x to half an ulp and a little.
HELPER float inverse_of(float x) {
  const float inverse = __nvvm_rcp_approx_ftz_f(x);
  return __builtin_fmaf(inverse, __builtin_fmaf(-x, inverse, 1.0F), inverse);
}

/// ln(Gamma(a)), a >= 3, by Stirling's formula.
HELPER float stirling_logarithm(float a, float log_a) {
  // ln(sqrt(2 pi / e)), which makes the rest small where a is.
  constexpr float constant = 0x1.acfe3ap-2F;
  // (ln(Gamma(1 / y)) - formula) / y, up to y = 1 / 3, off by 2^-24 of itself.
  constexpr float series[] = {0x1.2bcbb8p-11F, 0x1.611a62p-14F, -0x1.6d93eep-9F, 0x1.1f6d1ep-21F,
                              0x1.555554p-4F};
  const float inverse = __nvvm_rcp_approx_ftz_f(a);
  const float rest = __builtin_fmaf(polynomial(series, inverse), inverse, constant);
  return __builtin_fmaf(a - 0.5F, log_a - 1, rest);
}

/// ln(Gamma(a)), a < 3: zeros at 1 and 2 are factors.
HELPER float logarithm_around_zeros(float a, float log_a) {
  // ln(Gamma(2 + u)) / (u * (1 + u)) for |u| <= 1, off by 2^-25 of itself.
  constexpr float series[] = {0x1.1d2874p-16F, -0x1.461deep-15F, 0x1.d19b3ep-16F, -0x1.b437c8p-15F,
                              0x1.86fd0ap-13F, -0x1.beb97ep-12F, 0x1.e04e44p-11F, -0x1.137dd4p-9F,
                              0x1.478a06p-8F,  -0x1.95d51ep-7F,  0x1.0e0ceep-5F,  -0x1.9ae648p-4F,
                              0x1.b0ee6p-2F};
  const bool is_small = a < 1;
  const float t = is_small ? a : a - 1, u = t - 1;
  const float value = __builtin_fmaf(t * u, polynomial(series, u), 0.0F);
  return is_small ? value - log_a : value;
}

}  // namespace

// By Stirling's formula, Gamma(a + 1) = Gamma(a) * a is (z / e)^(a - 1/2), z = a + 1, times what
// hardly changes but for a factor z; and of negative numbers Gamma(-a) = -pi / (sin(pi a)
// Gamma(a + 1)). 5 ulp.
DEVICE_FUNCTION float __nv_tgammaf(float x) {
  const float a = __builtin_fabsf(x);
  if (a < 0x1p-60F || x == infinity) return a < 1 ? 1 / x : x;
  // What (z / e)^(a - 1/2) leaves is z * (first + series of 1 / z), off by 2^-27 of itself.
  constexpr float first = 0x1.1e5d24p-1F;
  constexpr float series[] = {0x1.4d3faap-14F,  -0x1.849d32p-12F, 0x1.58dddp-11F, -0x1.b9e786p-13F,
                              -0x1.8306cep-10F, 0x1.fbf3dp-10F,   0x1.7dd26p-5F};
  constexpr float log2_e = 0x1.715476p+0F, log2_e_low = 0x1.4ae0c0p-26F;
  const float z = a + 1, z_low = a - (z - 1);
  const float inverse = __nvvm_rcp_approx_ftz_f(z);
  const auto [high, low] = binary_logarithm(z, 0);
  const float logarithm = high - log2_e;
  const float logarithm_low =
      __builtin_fmaf(z_low * inverse, log2_e, low - log2_e_low) + ((high - logarithm) - log2_e);
  const float power = a - 0.5F;
  const float exponent = power * logarithm;
  const float rounding = __builtin_fmaf(power, logarithm, -exponent);
  const float exponent_low = __builtin_fmaf(power, logarithm_low, rounding);
  float factor = __builtin_fmaf(z, first, polynomial(series, inverse));
  if (x > 0) {
    factor *= inverse_of(a);
    return exponent < 200 ? times_power_of_two(factor, exponent, exponent_low) : infinity;
  }
  const float sine = sinpi_of(a);
  if (!(sine != 0)) return __builtin_nanf("");
  factor = -pi * inverse_of(factor * sine);
  return exponent < 200 ? times_power_of_two(factor, -exponent, -exponent_low) : factor * 0;
}

// 6 ulp, but where negative numbers have small results.
DEVICE_FUNCTION float __nv_lgammaf(float x) {
  const float a = __builtin_fabsf(x);
  const float log_a = logf(a);
  const float value = a < 3 ? logarithm_around_zeros(a, log_a) : stirling_logarithm(a, log_a);
  if (!(x < 0)) return value;
  // Gamma(a) Gamma(-a) = -pi / (a sin(pi a))
  if (a < 0x1p-24F) return -log_a;
  if (a >= 0x1p23F) return infinity;
  return logf(pi / (a * __builtin_fabsf(sinpi_of(a)))) - value;
}
