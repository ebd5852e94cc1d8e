// cbrt, rcbrt and rsqrt of double: an estimate by instructions, and a step of higher order. 1 ulp.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "double_words.h"
#include "gpu.h"

using namespace gridspan::device_library;

namespace {

#define HELPER static inline __attribute__((always_inline))

/// |x| = size * 2^(3 third), size from 1 to 8 and little more; inverse is 1 / cbrt(size), to some
/// 60 bits but for its own rounding.
struct Third {
  double size, inverse;
  int third;
};
HELPER Third third_of(double x) {
  double magnitude = __builtin_fabs(x);
  const bool is_small = magnitude_word(x) < 0x00100000;
  if (is_small) magnitude *= 0x1p54;
  // The biased exponent is 3 * 341 for 1.
  const unsigned thirds = (high_word(magnitude) >> 20) * 0x5556 >> 16;
  const double size = scaled(magnitude, 1023 - static_cast<int>(3 * thirds));
  const auto rough = static_cast<float>(size);
  const double estimate = __nvvm_ex2_approx_ftz_f(__nvvm_lg2_approx_ftz_f(rough) * (-1.0F / 3));
  // (1 - e)^(-1/3) = 1 + e / 3 + 2 / 9 e^2 + 14 / 81 e^3, e less than 2^-19.
  const double missing = __builtin_fma(-(estimate * estimate), estimate * size, 1.0);
  const double series = __builtin_fma(__builtin_fma(missing, 14.0 / 81, 2.0 / 9), missing, 1.0 / 3);
  return {size, __builtin_fma(estimate * missing, series, estimate),
          static_cast<int>(thirds) - 341 - (is_small ? 18 : 0)};
}

HELPER bool is_special(double x) { return x == 0 || magnitude_word(x) >= 0x7ff00000; }

}  // namespace

DEVICE_FUNCTION double __nv_cbrt(double x) {
  if (is_special(x)) return x + x;
  const auto [size, inverse, third] = third_of(x);
  const double inverse_square = inverse * inverse, root = size * inverse_square;
  const double square = root * root, square_low = __builtin_fma(root, root, -square);
  const double missing = __builtin_fma(-square, root, size) - square_low * root;
  const double exact = __builtin_fma(missing, inverse_square * (1.0 / 3), root);
  return __builtin_copysign(scaled(exact, third), x);
}

DEVICE_FUNCTION double __nv_rcbrt(double x) {
  if (is_special(x)) return 1 / x;
  const auto [size, inverse, third] = third_of(x);
  const double square = inverse * inverse, square_low = __builtin_fma(inverse, inverse, -square);
  const double product = square * size;
  const double product_low = __builtin_fma(square, size, -product) + square_low * size;
  const double missing = __builtin_fma(-product, inverse, 1.0) - product_low * inverse;
  const double exact = __builtin_fma(inverse * missing, 1.0 / 3, inverse);
  return __builtin_copysign(scaled(exact, -third), x);
}

// The instruction has some 20 bits, and knows what is special.
DEVICE_FUNCTION double __nv_rsqrt(double x) {
  const bool is_small = magnitude_word(x) < 0x00100000;
  const double size = is_small ? x * 0x1p54 : x;
  const double inverse = rough_inverse_root(size);
  const double missing = __builtin_fma(-size * inverse, inverse, 1.0);
  const double exact =
      __builtin_fma(inverse * missing, __builtin_fma(missing, 0.375, 0.5), inverse);
  const bool is_ordinary = high_word(size) - 0x00100000 < 0x7fe00000;
  const double root = is_ordinary ? exact : inverse;
  return is_small ? root * 0x1p27 : root;
}
