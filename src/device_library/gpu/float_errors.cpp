// Error functions and the normal distribution's of float, in float arithmetic.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../series.h"
#include "float_powers_of_two.h"
#include "gpu.h"

using namespace gridspan::device_library;

namespace {

#define HELPER static inline __attribute__((always_inline))

/// e^(a^2) erfc(a) for 0 <= a < 2^40: p(t) / (1 + 2 a), t = (a - 2) / (a + 2).
HELPER float scaled_complement(float a) {
  // Chebyshev's nodes, off by 2^-25.
  constexpr float series[] = {0x1.1d8722p-14F, 0x1.514e80p-13F, -0x1.84f256p-12F, -0x1.6de6e4p-10F,
                              0x1.4291acp-10F, 0x1.1cbabcp-7F,  -0x1.06f464p-7F,  -0x1.bc1accp-5F,
                              0x1.4ff9b6p-3F,  -0x1.54081cp-3F, -0x1.7bf5eap-4F,  0x1.46e80ep+0F};
  const float inverse = __nvvm_rcp_approx_ftz_f(a + 2);
  const float near = (a - 2) * inverse;
  // What is missing from a - 2 - near * (a + 2).
  const float missing = __builtin_fmaf(near, -a, __builtin_fmaf(near + 1, -2.0F, a));
  const float p = polynomial(series, __builtin_fmaf(inverse, missing, near));
  const float divisor = __nvvm_rcp_approx_ftz_f(__builtin_fmaf(2, a, 1));
  const float quotient = p * divisor;
  return __builtin_fmaf(__builtin_fmaf(-2 * a, quotient, p - quotient), divisor, quotient);
}

/// a^2 / ln(2) in two parts.
struct Exponent {
  float high, low;
};
HELPER Exponent exponent_of_square(float a) {
  constexpr float log2_e = 0x1.715476p+0F, log2_e_low = 0x1.4ae0c0p-26F;
  const float square = a * a, square_low = __builtin_fmaf(a, a, -square);
  const float high = square * log2_e;
  const float low = __builtin_fmaf(square, log2_e, -high);
  return {high, __builtin_fmaf(square, log2_e_low, __builtin_fmaf(square_low, log2_e, low))};
}

}  // namespace

// Below 0.85 x + x p(x^2), above 1 - 2^-q(a): one of two polynomials, so that threads of a warp go
// the same way. 2 ulp.
DEVICE_FUNCTION float erff(float x) {
  // q(a) = -log2(erfc(a)) up to 4, so that erf is off by 2^-26.
  constexpr float outer[] = {-0x1.3d19a4p-19F, 0x1.169c68p-14F, -0x1.c3246ep-11F,
                             0x1.c1bb52p-8F,   -0x1.381c6ep-5F, 0x1.452834p-3F,
                             0x1.d2bc5ap-1F,   0x1.a16ae2p+0F,  -0x1.d60a6ep-12F};
  // erf(x) / x - 1 in x^2, off by 2^-26.
  constexpr float inner[] = {0,
                             0,
                             0,
                             -0x1.4ba372p-11F,
                             0x1.4b2706p-8F,
                             -0x1.b7271ap-6F,
                             0x1.ce2432p-4F,
                             -0x1.81271cp-2F,
                             0x1.06eba8p-3F};
  const float a = __builtin_fabsf(x);
  const bool is_inner = a < 0.85F;
  const float t = is_inner ? x * x : a > 4 ? 4 : a;
  float series = is_inner ? inner[0] : outer[0];
#pragma unroll
  for (unsigned i = 1; i < 9; ++i)
    series = __builtin_fmaf(series, t, is_inner ? inner[i] : outer[i]);
  const float far = __builtin_copysignf(1 - __nvvm_ex2_approx_ftz_f(-series), x);
  return is_inner ? __builtin_fmaf(x, series, x) : far;
}

// 4 ulp.
DEVICE_FUNCTION float erfcf(float x) {
  const float a = __builtin_fabsf(x);
  const auto [high, low] = exponent_of_square(a);
  const float near = times_power_of_two(scaled_complement(a), -high, -low);
  const float result = a > 10.4F ? 0 : near;
  return x < 0 ? 2 - result : result;
}

// 4 ulp. For negative numbers 2 e^(x^2) - e^(a^2) erfc(a).
DEVICE_FUNCTION float __nv_erfcxf(float x) {
  constexpr float one_over_root_pi = 0x1.20dd76p-1F;
  const float a = __builtin_fabsf(x);
  if (!(x < 0x1p40F)) return one_over_root_pi / x;
  const float scaled = scaled_complement(a);
  if (x >= 0) return scaled;
  if (!(a < 10)) return a >= 10 ? __builtin_inff() : x + x;
  const auto [high, low] = exponent_of_square(a);
  return times_power_of_two(2, high, low) - scaled;
}

// erfc(-x / sqrt(2)) / 2. Far below 0 the last bits of the argument count: to first order, erfc
// changes by 2 z erfc(z) there.
DEVICE_FUNCTION float __nv_normcdff(float x) {
  constexpr float factor = -0x1.6a09e6p-1F, factor_low = -0x1.9fcef4p-27F;
  if (__builtin_fabsf(x) > 14.5F) x = __builtin_copysignf(14.5F, x);
  const float z = x * factor;
  const float z_low = __builtin_fmaf(x, factor_low, __builtin_fmaf(x, factor, -z));
  float result = erfcf(z);
  if (x < -1) result = __builtin_fmaf(-2 * z * result, z_low, result);
  return 0.5F * result;
}
