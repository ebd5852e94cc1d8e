// Exponential and hyperbolic functions of float in float arithmetic.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../series.h"
#include "gpu.h"

using namespace gridspan::device_library;

namespace {

#define HELPER static inline __attribute__((always_inline))

/// A base as its binary logarithm, in two parts, and a 252th of that.
struct Base {
  float logarithm, logarithm_low, one_252th;
};
constexpr Base e{0x1.715476p+0F, 0x1.4ae0c0p-26F, 0x1.773102p-8F};
constexpr Base ten{0x1.a934f0p+1F, 0x1.2f346ep-24F, 0x1.aff4c4p-7F};

// base^x = 2^n * 2^r with n = floor(x * log2(base)), cut to -126..126 so that 2^n is a normal
// number. Beyond, r leaves 0..1 and the product becomes a subnormal number, 0 or infinity. 2 ulp,
// of which the instruction has one.
HELPER float power(Base base, float x) {
  constexpr float bias = 0x1.8p23F + 1, back = bias + 126;  // numbers whose last bits are integers
  const float place = __nvvm_saturate_f(__builtin_fmaf(x, base.one_252th, 0.5F));
  const float shifted = __nvvm_fma_rm_f(place, 252, bias);
  const float n = shifted - back;
  const float r = __builtin_fmaf(x, base.logarithm_low, __builtin_fmaf(x, base.logarithm, -n));
  // The last bits are n + 127, the exponent field of 2^n.
  const float scale = __builtin_bit_cast(float, __builtin_bit_cast(unsigned, shifted) << 23);
  return __nvvm_ex2_approx_ftz_f(r) * scale;
}

/// e^x / 4 for 0 <= x < 90, which does not overflow.
HELPER float quarter_of_exponential(float x) {
  constexpr float bias = 0x1.8p23F + 125;
  const float shifted = __builtin_fmaf(x, e.logarithm, bias);
  const float n = shifted - bias;
  const float r = __builtin_fmaf(x, e.logarithm_low, __builtin_fmaf(x, e.logarithm, -n));
  // The last bits are n + 125, the exponent field of 2^(n - 2).
  const float scale = __builtin_bit_cast(float, __builtin_bit_cast(unsigned, shifted) << 23);
  return __nvvm_ex2_approx_ftz_f(r) * scale;
}

}  // namespace

DEVICE_FUNCTION float expf(float x) { return power(e, x); }
DEVICE_FUNCTION float exp10f(float x) { return power(ten, x); }

// 2 ulp, as CUDA says.
DEVICE_INLINE float exp2f(float x) { return __nvvm_ex2_approx_f(x); }

// (e^a - e^-a) / 2; below 1, x^3 / 6 + ... . 3 ulp.
DEVICE_FUNCTION float sinhf(float x) {
  // (sinh(x) / x - 1) / x^2 in x^2, off by 2^-27.
  constexpr float series[] = {0x1.78a70ep-19F, 0x1.a009p-13F, 0x1.11111ep-7F, 0x1.555556p-3F};
  const float a = __builtin_fabsf(x), square = x * x;
  const float near = __builtin_fmaf(x * square, polynomial(series, square), x);
  const float quarter = quarter_of_exponential(a);
  const float far = __builtin_fmaf(2, quarter, -0.125F * __nvvm_rcp_approx_ftz_f(quarter));
  return a < 1 ? near : a > 90 ? x * __builtin_inff() : __builtin_copysignf(far, x);
}

// (e^a + e^-a) / 2. 2 ulp.
DEVICE_FUNCTION float coshf(float x) {
  const float a = __builtin_fabsf(x);
  const float quarter = quarter_of_exponential(a);
  const float far = __builtin_fmaf(2, quarter, 0.125F * __nvvm_rcp_approx_ftz_f(quarter));
  return a > 90 ? __builtin_inff() : far;
}

// 1 - 2 / (e^2a + 1); below 0.6, x - x^3 / 3 + ... . 2 ulp.
DEVICE_FUNCTION float tanhf(float x) {
  constexpr float twice_log2_e = 0x1.715476p+1F;
  // (tanh(x) / x - 1) / x^2 in x^2, off by 2^-26.
  constexpr float series[] = {-0x1.9ada60p-8F, 0x1.59e1c8p-6F, -0x1.b955dcp-5F, 0x1.110eep-3F,
                              -0x1.555554p-2F};
  const float a = __builtin_fabsf(x), square = a * a;
  const float near = __builtin_fmaf(a * square, polynomial(series, square), a);
  const float power = __nvvm_ex2_approx_ftz_f(a * twice_log2_e);
  const float far = __builtin_fmaf(-2, __nvvm_rcp_approx_ftz_f(power + 1), 1.0F);
  return __builtin_copysignf(a < 0.6F ? near : far, x);
}
