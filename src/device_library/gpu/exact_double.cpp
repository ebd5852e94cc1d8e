// sinh, cosh and tanh of double: where libclc is not exact enough, or reads beyond its
// tables. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "double_powers_of_e.h"
#include "gpu.h"

using namespace gridspan::device_library;

namespace {

#define HELPER static inline __attribute__((always_inline))

/// high + low, |low| less than half an ulp of high.
struct Pair {
  double high, low;
};

HELPER Pair quick_sum(double large, double small) {
  const double high = large + small;
  return {high, small - (high - large)};
}

/// 2^exponent for exponents of normal numbers.
HELPER double power_of_two(int exponent) {
  return __builtin_bit_cast(double, static_cast<long long>(exponent + 1023) << 52);
}

/// e^x = (high + low) * 2^exponent with some 60 bits, for 0 <= x < 711.
struct Exponential {
  Pair mantissa;
  int exponent;
};
HELPER Exponential exponential(double x) {
  constexpr double log2_e = 0x1.71547652b82fep+0;
  constexpr double ln2_high = 0x1.62e42fefa0000p-1, ln2_low = 0x1.cf79abc9e3b3ap-40;
  const double k = __builtin_rint(x * log2_e);
  const double first = __builtin_fma(-k, ln2_high, x);  // exact: k has 11 bits, the constant 37
  const double product = k * ln2_low;
  const double product_low = __builtin_fma(k, ln2_low, -product);
  const double r = first - product;
  const double r_low = (first - r) - product - product_low;
  const double series = polynomial(exponential_tail, r);
  const double tail = __builtin_fma(r * r, series, r_low * (1 + r));
  const Pair one_and_r = quick_sum(1, r);
  return {quick_sum(one_and_r.high, one_and_r.low + tail), static_cast<int>(k)};
}

/// (e^x ± e^-x) / 2, without the last doubling of e^x, which might overflow before it is halved.
HELPER double half_sum(double x, double sign) {
  const Exponential e = exponential(x);
  const double inverse = inverse_of(e.mantissa.high);
  const double inverse_low =
      (__builtin_fma(-inverse, e.mantissa.high, 1.0) - inverse * e.mantissa.low) * inverse;
  // Twice the exponent apart; beyond 2^-120 nothing is left of it.
  const double scale = e.exponent > 60 ? 0 : sign * power_of_two(-2 * e.exponent);
  const Pair sum = quick_sum(e.mantissa.high, inverse * scale);
  const double result = sum.high + (sum.low + (e.mantissa.low + inverse_low * scale));
  return result * power_of_two(e.exponent - 2) * 2;
}

}  // namespace

DEVICE_FUNCTION double cosh(double x) {
  const double magnitude = __builtin_fabs(x);
  if (!(magnitude < 711)) return magnitude > 711 ? __builtin_inf() : magnitude + magnitude;
  return half_sum(magnitude, 1);
}

DEVICE_FUNCTION double sinh(double x) {
  const double magnitude = __builtin_fabs(x);
  if (!(magnitude < 711)) return magnitude > 711 ? x * __builtin_inf() : x + x;
  if (magnitude > 1) return __builtin_copysign(half_sum(magnitude, -1), x);
  // x + x^3 / 3! + ... + x^19 / 19!
  constexpr double factorials[] = {
      0x1.2f49b46814157p-57, 0x1.952c77030ad4ap-49, 0x1.ae7f3e733b81fp-41,
      0x1.6124613a86d09p-33, 0x1.ae64567f544e4p-26, 0x1.71de3a556c734p-19,
      0x1.a01a01a01a01ap-13, 0x1.1111111111111p-7,  0x1.5555555555555p-3};
  const double square = x * x;
  const double series = polynomial(factorials, square);
  return __builtin_fma(series * square, x, x);
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
