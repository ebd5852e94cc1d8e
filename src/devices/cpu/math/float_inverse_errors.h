// erfinv, erfcinv and normcdfinv of float.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With w = -ln((1 - x) (1 + x)), erfinv(x) / x is a polynomial in w close to 0, and in its root
// beyond (M. Giles, "Approximating the erfinv function", GPU Computing Gems Jade, 2011); the
// coefficients of the GPU's library (device_library/gpu/inverse_errors.cpp). erfinv 2 ulp, the
// others 3.
#pragma once

#include "devices/cpu/math/float_logarithms.h"

namespace gridspan::devices::cpu::math {

/// erfinv(x), where product = (1 - x) (1 + x).
FLOATS F inverse_error(F x, F product) {
  // The value in the middle is apart, so that it is not rounded twice.
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
  const F binary = log2(product);
  const F distance = -binary - middle;
  const F near = fma(x, middle_value, x * (distance * polynomial(central, distance)));
  const MaskOf<F> is_near = distance <= 5.75F;
  if (!any(~is_near)) return near;
  const F root = sqrt(-log(product));
  const F far = select(root < 4.125F, x * polynomial(outer, root - 3.25F),
                       x * polynomial(tail, root - 7.125F));
  return select(is_near, near, far);
}

FLOATS F erfinv(F x) {
  const F a = abs(x);
  const F end = select(a == 1, with_sign(F(__builtin_inff()), x), F(__builtin_nanf("")));
  return select(a < 1, with_sign(inverse_error(x, fma(-x, x, 1)), x), end);
}
FLOATS F erfcinv(F y) {
  const F last = select(y == 2, F(-__builtin_inff()), F(__builtin_nanf("")));
  const F end = select(y == 0, F(__builtin_inff()), last);
  return select((y > 0) & (y < 2), inverse_error(F(1 - y), F(y * (2 - y))), end);
}
// sqrt(2) erfinv(2 p - 1)
FLOATS F normcdfinv(F p) {
  constexpr float root_two = 0x1.6a09e6p+0F;
  const F y = 2 * p;
  const F last = select(p == 1, F(__builtin_inff()), F(__builtin_nanf("")));
  const F end = select(p == 0, F(-__builtin_inff()), last);
  const F value = root_two * inverse_error(F(y - 1), F(y * (2 - y)));
  return select((p > 0) & (p < 1), value, end);
}

}  // namespace gridspan::devices::cpu::math
