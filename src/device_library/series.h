// Polynomials, and e^x's coefficients.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace gridspan::device_library {

static inline __attribute__((always_inline)) float multiply_add(float x, float y, float z) {
  return __builtin_fmaf(x, y, z);
}
static inline __attribute__((always_inline)) double multiply_add(double x, double y, double z) {
  return __builtin_fma(x, y, z);
}

/// Horner's rule: the coefficient of the highest power first.
template <class Real, unsigned count>
static inline __attribute__((always_inline)) Real polynomial(const Real (&coefficients)[count],
                                                             Real x) {
  Real value = coefficients[0];
#pragma unroll
  for (unsigned i = 1; i < count; ++i) value = multiply_add(value, x, coefficients[i]);
  return value;
}

/// Of (e^x - 1 - x) / x^2: 1 / 14! to 1 / 2!. For |x| <= ln(2) / 2 what is left out is less than
/// 2^-57.
inline constexpr double exponential_tail[] = {0x1.93974a8c07c9dp-37,
                                              0x1.6124613a86d09p-33,
                                              0x1.1eed8eff8d898p-29,
                                              0x1.ae64567f544e4p-26,
                                              0x1.27e4fb7789f5cp-22,
                                              0x1.71de3a556c734p-19,
                                              0x1.a01a01a01a01ap-16,
                                              0x1.a01a01a01a01ap-13,
                                              0x1.6c16c16c16c17p-10,
                                              0x1.1111111111111p-7,
                                              0x1.5555555555555p-5,
                                              0x1.5555555555555p-3,
                                              0.5};

}  // namespace gridspan::device_library
