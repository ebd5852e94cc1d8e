// cbrtf and rcbrtf in float arithmetic: an estimate by the instructions for 2^x and log2(x), and a
// step of Newton's. 1 ulp. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu.h"

namespace {

#define HELPER static inline __attribute__((always_inline))

/// |x|, times 2^72 where squares of roots would be no normal numbers.
struct Scaled {
  float size;
  bool is_small;
};
HELPER Scaled scaled(float x) {
  const float size = __builtin_fabsf(x);
  const bool is_small = size < 0x1p-60F;
  return {is_small ? size * 0x1p72F : size, is_small};
}

}  // namespace

DEVICE_FUNCTION float cbrtf(float x) {
  const auto [size, is_small] = scaled(x);
  const float third = __nvvm_lg2_approx_ftz_f(size) * (1.0F / 3);
  const float root = __nvvm_ex2_approx_ftz_f(third);
  const float inverse_square = __nvvm_ex2_approx_ftz_f(-2 * third);
  const float missing = __builtin_fmaf(-root * root, root, size);
  const float result = __builtin_fmaf(missing, inverse_square * (1.0F / 3), root);
  const bool is_itself = size == 0 || !(size < __builtin_inff());
  return is_itself ? x + x : __builtin_copysignf(is_small ? result * 0x1p-24F : result, x);
}

DEVICE_FUNCTION float __nv_rcbrtf(float x) {
  const auto [size, is_small] = scaled(x);
  const float root = __nvvm_ex2_approx_ftz_f(__nvvm_lg2_approx_ftz_f(size) * (-1.0F / 3));
  const float missing = __builtin_fmaf(-(root * root), size * root, 1.0F);
  const float result = __builtin_fmaf(missing * root, 1.0F / 3, root);
  const bool is_special = size == 0 || !(size < __builtin_inff());
  return is_special ? 1 / x : __builtin_copysignf(is_small ? result * 0x1p24F : result, x);
}
