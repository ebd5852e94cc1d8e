// sinh, cosh and tanh of float.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From e^x, and close to 0 polynomials; coefficients: those of the GPU's library.
#pragma once

#include "devices/cpu/math/float_powers.h"

namespace gridspan::devices::cpu::math {

/// e^x / 4 for 0 <= x < 90, which does not overflow.
FLOATS F quarter_of_exponential(F x) {
  constexpr float log2_e = 0x1.715476p+0F, log2_e_low = 0x1.4ae0c0p-26F;
  const Rounded<F> n = rounded_product(x, log2_e);
  const F r = fma(x, log2_e_low, fma(x, log2_e, -n.number));
  return power_near_zero(r) * power_of_two(Rounded<F>{n.number - 2, n.shifted - 2});
}

// (e^a - e^-a) / 2; below 1, x^3 / 6 + ... . 3 ulp.
FLOATS F sinh(F x) {
  // (sinh(x) / x - 1) / x^2 in x^2, off by 2^-27.
  constexpr float series[] = {0x1.78a70ep-19F, 0x1.a009p-13F, 0x1.11111ep-7F, 0x1.555556p-3F};
  const F a = abs(x), square = x * x;
  const F near = fma(x * square, polynomial(series, square), x);
  const F quarter = quarter_of_exponential(at_most(a, 90));
  const F far = fma(quarter, 2, -0.125F / quarter);
  return select(a < 1, near, with_sign(far, x));
}

// (e^a + e^-a) / 2. 2 ulp.
FLOATS F cosh(F x) {
  const F quarter = quarter_of_exponential(at_most(abs(x), 90));
  return fma(quarter, 2, 0.125F / quarter);
}

// 1 - 2 / (e^2a + 1); below 0.6, x - x^3 / 3 + ... . 2 ulp.
FLOATS F tanh(F x) {
  constexpr float twice_log2_e = 0x1.715476p+1F;
  // (tanh(x) / x - 1) / x^2 in x^2, off by 2^-26.
  constexpr float series[] = {-0x1.9ada60p-8F, 0x1.59e1c8p-6F, -0x1.b955dcp-5F, 0x1.110eep-3F,
                              -0x1.555554p-2F};
  const F a = abs(x), square = a * a;
  const F near = fma(a * square, polynomial(series, square), a);
  const F cut = at_most(a, 10);
  const Rounded<F> n = rounded_product(cut, twice_log2_e);
  const F power = power_near_zero(fma(cut, twice_log2_e, -n.number)) * power_of_two(n);
  const F far = 1 - 2 / (power + 1);
  return with_sign(select(a < 0.6F, near, far), x);
}

}  // namespace gridspan::devices::cpu::math
