// Functions of float that a GPU has instructions for: CUDA's __sinf and so on, and rsqrtf.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu.h"

#define APPROXIMATION(name, instruction)                                                         \
  static inline __attribute__((always_inline)) float name(float x) {                             \
    return flushes_subnormals() ? __nvvm_##instruction##_ftz_f(x) : __nvvm_##instruction##_f(x); \
  }
APPROXIMATION(sine, sin_approx)
APPROXIMATION(cosine, cos_approx)
APPROXIMATION(power_of_two, ex2_approx)
APPROXIMATION(binary_logarithm, lg2_approx)
APPROXIMATION(inverse_root, rsqrt_approx)

static inline __attribute__((always_inline)) float quotient(float x, float y) {
  return flushes_subnormals() ? __nvvm_div_approx_ftz_f(x, y) : __nvvm_div_approx_f(x, y);
}

constexpr float log2_e = 0x1.715476p+0F, log2_10 = 0x1.a934f0p+1F;
constexpr float ln_2 = 0x1.62e430p-1F, log10_2 = 0x1.344136p-2F;

// 2 ulp, as CUDA says of rsqrtf.
DEVICE_INLINE float __nv_rsqrtf(float x) { return inverse_root(x); }

DEVICE_INLINE float __nv_fast_sinf(float x) { return sine(x); }
DEVICE_INLINE float __nv_fast_cosf(float x) { return cosine(x); }
DEVICE_INLINE float __nv_fast_tanf(float x) { return quotient(sine(x), cosine(x)); }
DEVICE_INLINE float __nv_fast_expf(float x) { return power_of_two(x * log2_e); }
DEVICE_INLINE float __nv_fast_exp10f(float x) { return power_of_two(x * log2_10); }
DEVICE_INLINE float __nv_fast_logf(float x) { return binary_logarithm(x) * ln_2; }
DEVICE_INLINE float __nv_fast_log2f(float x) { return binary_logarithm(x); }
DEVICE_INLINE float __nv_fast_log10f(float x) { return binary_logarithm(x) * log10_2; }
DEVICE_INLINE float __nv_fast_powf(float x, float y) {
  return power_of_two(y * binary_logarithm(x));
}
DEVICE_INLINE float __nv_fast_fdividef(float x, float y) { return quotient(x, y); }
DEVICE_INLINE void __nv_fast_sincosf(float x, float* sine_of_x, float* cosine_of_x) {
  *sine_of_x = sine(x);
  *cosine_of_x = cosine(x);
}
DEVICE_INLINE float __nv_saturatef(float x) {
  return flushes_subnormals() ? __nvvm_saturate_ftz_f(x) : __nvvm_saturate_f(x);
}
