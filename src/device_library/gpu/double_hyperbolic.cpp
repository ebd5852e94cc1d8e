// Hyperbolic functions of double.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "double_powers_of_e.h"
#include "gpu.h"

using namespace gridspan::device_library;

namespace {

/// e^x / 4 for 0 <= x < 711, which does not overflow.
static inline __attribute__((always_inline)) double quarter_of_exponential(double x) {
  const auto [mantissa, exponent] = power_of_e(x, -0.0);
  return scaled(mantissa, exponent - 2);
}

}  // namespace

// (e^a + e^-a) / 2. 1 ulp.
DEVICE_FUNCTION double cosh(double x) {
  const double magnitude = __builtin_fabs(x);
  if (!(magnitude < 711)) return magnitude >= 711 ? __builtin_inf() : x + x;
  const double quarter = quarter_of_exponential(magnitude);
  return __builtin_fma(2, quarter, 0.125 * inverse_of(quarter));
}

// (e^a - e^-a) / 2; below 1, x + x^3 / 3! + ... + x^19 / 19!. 2 ulp.
DEVICE_FUNCTION double sinh(double x) {
  constexpr double factorials[] = {
      0x1.2f49b46814157p-57, 0x1.952c77030ad4ap-49, 0x1.ae7f3e733b81fp-41,
      0x1.6124613a86d09p-33, 0x1.ae64567f544e4p-26, 0x1.71de3a556c734p-19,
      0x1.a01a01a01a01ap-13, 0x1.1111111111111p-7,  0x1.5555555555555p-3};
  const double magnitude = __builtin_fabs(x);
  if (magnitude < 1) {
    const double square = x * x;
    return __builtin_fma(polynomial(factorials, square) * square, x, x);
  }
  if (!(magnitude < 711)) return magnitude >= 711 ? x * __builtin_inf() : x + x;
  const double quarter = quarter_of_exponential(magnitude);
  return __builtin_copysign(__builtin_fma(2, quarter, -0.125 * inverse_of(quarter)), x);
}

// 1 - 2 / (e^2a + 1); below 0.6, x - x^3 / 3 + ... . 1 ulp.
DEVICE_FUNCTION double __nv_tanh(double x) {
  // (tanh(x) / x - 1) / x^2 in x^2: Sollya's fpminimax, off by 2^-55.
  constexpr double series[] = {
      -0x1.34ebe483635f3p-16, 0x1.56a16b354dccap-14, -0x1.e74ccb8c1beap-13, 0x1.3455db402349fp-11,
      -0x1.7d8b771b9fdf5p-10, 0x1.d6d26230e7f9ep-9,  -0x1.226e2e84b41ebp-7, 0x1.664f485cb256ep-6,
      -0x1.ba1ba1b9b0d9ap-5,  0x1.1111111110d9cp-3,  -0x1.5555555555555p-2};
  const double magnitude = __builtin_fabs(x);
  if (magnitude < 0.6) {
    const double square = x * x;
    return __builtin_copysign(
        __builtin_fma(magnitude * square, polynomial(series, square), magnitude), x);
  }
  if (!(magnitude < 20)) return magnitude >= 20 ? __builtin_copysign(1.0, x) : x + x;
  const auto [mantissa, exponent] = power_of_e(2 * magnitude, -0.0);
  const double inverse = inverse_of(scaled(mantissa, exponent) + 1);
  return __builtin_copysign(__builtin_fma(-2, inverse, 1.0), x);
}
