// sinh, cosh and tanh of double.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From e^x, and close to 0 polynomials; coefficients: those of the GPU's library.
#pragma once

#include "devices/cpu/math/double_powers.h"

namespace gridspan::devices::cpu::math {

/// e^x / 4 for 0 <= x < 711, which does not overflow.
DOUBLES F quarter_of_exponential(F x) {
  const auto [mantissa, n] = power_of_e(x, -0.0);
  return mantissa * power_of_two(Rounded<F>{n.number - 2, n.shifted - 2});
}

// (e^a + e^-a) / 2. 1 ulp.
DOUBLES F cosh(F x) {
  const F quarter = quarter_of_exponential(at_most(abs(x), 711));
  return fma(quarter, 2, 0.125 / quarter);
}

// (e^a - e^-a) / 2; below 1, x + x^3 / 3! + ... + x^19 / 19!. 2 ulp.
DOUBLES F sinh(F x) {
  constexpr double factorials[] = {
      0x1.2f49b46814157p-57, 0x1.952c77030ad4ap-49, 0x1.ae7f3e733b81fp-41,
      0x1.6124613a86d09p-33, 0x1.ae64567f544e4p-26, 0x1.71de3a556c734p-19,
      0x1.a01a01a01a01ap-13, 0x1.1111111111111p-7,  0x1.5555555555555p-3};
  const F a = abs(x), square = x * x;
  const F near = fma(polynomial(factorials, square) * square, x, x);
  const F quarter = quarter_of_exponential(at_most(a, 711));
  const F far = fma(quarter, 2, -0.125 / quarter);
  return with_sign(select(a < 1, near, far), x);
}

// 1 - 2 / (e^2a + 1); below 0.6, x - x^3 / 3 + ... . 1 ulp.
DOUBLES F tanh(F x) {
  // (tanh(x) / x - 1) / x^2 in x^2, off by 2^-55.
  constexpr double series[] = {
      -0x1.34ebe483635f3p-16, 0x1.56a16b354dccap-14, -0x1.e74ccb8c1beap-13, 0x1.3455db402349fp-11,
      -0x1.7d8b771b9fdf5p-10, 0x1.d6d26230e7f9ep-9,  -0x1.226e2e84b41ebp-7, 0x1.664f485cb256ep-6,
      -0x1.ba1ba1b9b0d9ap-5,  0x1.1111111110d9cp-3,  -0x1.5555555555555p-2};
  const F a = abs(x), square = a * a;
  const F near = fma(a * square, polynomial(series, square), a);
  const auto [mantissa, n] = power_of_e(2 * at_most(a, 20), -0.0);
  const F far = 1 - 2 / (mantissa * power_of_two(n) + 1);
  return with_sign(select(a < 0.6, near, far), x);
}

}  // namespace gridspan::devices::cpu::math
