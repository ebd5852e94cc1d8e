// erfinvf, erfcinvf and normcdfinvf in float arithmetic.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With w = -ln((1 - x) (1 + x)), erfinv(x) / x is a polynomial in w close to 0, and in its root
// beyond (M. Giles, "Approximating the erfinv function", GPU Computing Gems Jade, 2011). Here
// computed with mpmath at 200 bits: interpolation at Chebyshev nodes. erfinvf 2 ulp, the others 3.
#include "../series.h"
#include "gpu.h"

using namespace gridspan::device_library;

float logf(float) __asm__("logf");

namespace {

/// erfinv(x), where product = (1 - x) (1 + x). A product that the instruction takes for 0 leads to
/// the logarithm that does not.
static inline __attribute__((always_inline)) float inverse(float x, float product) {
  // Of binary logarithms up to 7.25: the instruction's absolute error does not count there. The
  // value in the middle is apart, so that it is not rounded twice.
  constexpr float central[] = {0x1.2c6b10p-39F, -0x1.523554p-35F, -0x1.e5542cp-34F,
                               0x1.f9d1acp-28F, -0x1.5add98p-25F, -0x1.0974d8p-21F,
                               0x1.8f4d5ep-18F, 0x1.a0cf1ap-16F,  -0x1.9c09aap-11F,
                               0x1.f3d314p-10F, 0x1.604746p-3F};
  constexpr float middle = 1.5F, middle_value = 0x1.23212ep+0F;
  constexpr float outer[] = {0x1.5c19340p-20F,  -0x1.0fd6f00p-15F, 0x1.514aa80p-14F,
                             0x1.6bcae60p-18F,  -0x1.7abfb40p-12F, 0x1.f910100p-11F,
                             -0x1.ba32620p-10F, 0x1.463e780p-9F,   -0x1.ebb1c20p-9F,
                             0x1.6000780p-8F,   0x1.0158a60p+0F,   0x1.8abcc40p+1F};
  constexpr float tail[] = {0x1.4c3dea0p-32F,  -0x1.1a28c00p-29F, 0x1.871d140p-28F,
                            -0x1.3028f20p-25F, 0x1.2a82040p-22F,  -0x1.84d4a80p-20F,
                            0x1.56365a0p-18F,  0x1.3344b60p-17F,  -0x1.0b420c0p-11F,
                            0x1.022af20p+0F,   0x1.bfaf7e0p+2F};
  const float distance = -__nvvm_lg2_approx_ftz_f(product) - middle;
  if (distance <= 5.75F)
    return __builtin_fmaf(x, middle_value, x * (distance * polynomial(central, distance)));
  const float root = __builtin_sqrtf(-logf(product));
  if (root < 4.125F) return x * polynomial(outer, root - 3.25F);
  return x * polynomial(tail, root - 7.125F);
}

constexpr float infinity = __builtin_inff();

}  // namespace

DEVICE_FUNCTION float __nv_erfinvf(float x) {
  const float a = __builtin_fabsf(x);
  if (!(a < 1)) return a == 1 ? __builtin_copysignf(infinity, x) : __builtin_nanf("");
  return inverse(x, __builtin_fmaf(-x, x, 1));
}
DEVICE_FUNCTION float __nv_erfcinvf(float y) {
  if (!(y > 0 && y < 2)) return y == 0 ? infinity : y == 2 ? -infinity : __builtin_nanf("");
  return inverse(1 - y, y * (2 - y));
}
// sqrt(2) erfinv(2 p - 1)
DEVICE_FUNCTION float __nv_normcdfinvf(float p) {
  constexpr float root_two = 0x1.6a09e6p+0F;
  if (!(p > 0 && p < 1)) return p == 0 ? -infinity : p == 1 ? infinity : __builtin_nanf("");
  const float y = 2 * p;
  return root_two * inverse(y - 1, y * (2 - y));
}
