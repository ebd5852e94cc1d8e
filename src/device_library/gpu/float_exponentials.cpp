// Functions of float that end in powers of two.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu.h"

double erfc(double) __asm__("erfc");

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

DEVICE_FUNCTION float erfcf(float x) { return static_cast<float>(erfc(static_cast<double>(x))); }
