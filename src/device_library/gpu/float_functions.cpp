// Functions of float in float arithmetic: those that kernels are made of.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../series.h"
#include "gpu.h"

using namespace gridspan::device_library;

// e^x = 2^n * 2^r with n = floor(x * log2(e)), cut to -126..126 so that 2^n is a normal number.
// Beyond, r leaves 0..1 and the product becomes a subnormal number, 0 or infinity. 2 ulp, of which
// the instruction has one.
DEVICE_FUNCTION float expf(float x) {
  constexpr float log2_e = 0x1.715476p+0F, log2_e_low = 0x1.4ae0c0p-26F;
  constexpr float one_252th = 0x1.773102p-8F;               // log2(e) / 252
  constexpr float bias = 0x1.8p23F + 1, back = bias + 126;  // numbers whose last bits are integers
  const float place = __nvvm_saturate_f(__builtin_fmaf(x, one_252th, 0.5F));
  const float shifted = __nvvm_fma_rm_f(place, 252, bias);
  const float n = shifted - back;
  const float r = __builtin_fmaf(x, log2_e_low, __builtin_fmaf(x, log2_e, -n));
  // The last bits are n + 127, the exponent field of 2^n.
  const float scale = __builtin_bit_cast(float, __builtin_bit_cast(unsigned, shifted) << 23);
  return __nvvm_ex2_approx_ftz_f(r) * scale;
}

// 2 ulp, as CUDA says.
DEVICE_INLINE float exp2f(float x) { return __nvvm_ex2_approx_f(x); }

// x = 2^k * m, m in [2/3, 4/3): k * ln(2) + ln(1 + f), f = m - 1.
DEVICE_FUNCTION float logf(float x) {
  constexpr float ln_2 = 0x1.62e430p-1F;
  // (ln(1 + f) - f + f^2 / 2) / f^3
  constexpr float coefficients[] = {0x1.d01a22p-4F,  -0x1.fcd036p-4F, 0x1.bf1af0p-4F,
                                    -0x1.f75896p-4F, 0x1.24b28cp-3F,  -0x1.557832p-3F,
                                    0x1.999954p-3F,  -0x1.ffffb6p-3F, 0x1.555556p-2F};
  const bool is_small = x < 0x1p-126F;
  const float normal = is_small ? x * 0x1p23F : x;
  const int bits = __builtin_bit_cast(int, normal);
  const int exponent = (bits - 0x3f2aaaab) & static_cast<int>(0xff800000);
  const float f = __builtin_bit_cast(float, bits - exponent) - 1;
  const float k = __builtin_fmaf(static_cast<float>(exponent), 0x1p-23F, is_small ? -23.0F : 0.0F);
  const float tail = __builtin_fmaf(polynomial(coefficients, f), f, -0.5F);
  const float logarithm = __builtin_fmaf(k, ln_2, __builtin_fmaf(tail, f * f, f));
  // As integers, positive numbers that are finite lie between 0 and infinity.
  if (static_cast<unsigned>(bits - 1) < 0x7f7fffffU) return logarithm;
  return x == 0 ? -__builtin_inff() : x < 0 ? __builtin_nanf("") : x + x;
}

double erfc(double) __asm__("erfc");
DEVICE_FUNCTION float erfcf(float x) { return static_cast<float>(erfc(static_cast<double>(x))); }

// 5 ulp, which erfcf may not have, but normcdff may.
// erfc(a) = e^(-a^2) / (1 + 2 a) * p(t), t = (a - 2) / (a + 2), for a from 0 to 10.6; beyond is 0.
static float rough_erfc(float x) {
  constexpr float coefficients[] = {0x1.d7a11ap-16F, -0x1.79384ep-12F, -0x1.479a90p-10F,
                                    0x1.4d408ep-10F, 0x1.1af2e2p-7F,   -0x1.079df8p-7F,
                                    -0x1.bc0a92p-5F, 0x1.4ffb36p-3F,   -0x1.54084ap-3F,
                                    -0x1.7bf602p-4F, 0x1.46e80ep+0F};
  const float a = __builtin_fabsf(x);
  const float inverse = __nvvm_rcp_approx_ftz_f(a + 2);
  const float near = (a - 2) * inverse;
  // What is missing from a - 2 - near * (a + 2).
  const float missing = __builtin_fmaf(near, -a, __builtin_fmaf(near + 1, -2.0F, a));
  const float t = __builtin_fmaf(inverse, missing, near);
  const float p = polynomial(coefficients, t);
  const float divisor = __nvvm_rcp_approx_ftz_f(__builtin_fmaf(2, a, 1));
  float quotient = p * divisor;
  quotient = __builtin_fmaf(__builtin_fmaf(-2 * a, quotient, p - quotient), divisor, quotient);
  const float square = a * a;
  const float rest = __builtin_fmaf(-a, a, square);  // of the square's rounding
  float result = quotient * expf(-square);
  result = a > 10.6F ? 0.0F : __builtin_fmaf(result, rest, result);
  return x < 0 ? 2 - result : result;
}

// erfc(-x / sqrt(2)) / 2. Far below 0 the last bits of the argument count: to first order, erfc
// changes by 2 z erfc(z) there.
DEVICE_FUNCTION float __nv_normcdff(float x) {
  constexpr float factor = -0x1.6a09e6p-1F, factor_low = -0x1.9fcef4p-27F;
  if (__builtin_fabsf(x) > 14.5F) x = __builtin_copysignf(14.5F, x);
  const float z = x * factor;
  const float z_low = __builtin_fmaf(x, factor_low, __builtin_fmaf(x, factor, -z));
  float result = rough_erfc(z);
  if (x < -1) result = __builtin_fmaf(-2 * z * result, z_low, result);
  return 0.5F * result;
}
