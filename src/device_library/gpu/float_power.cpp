// powf in float arithmetic: 2^(y * log2(x)), the logarithm and the product as sums of two numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 4 ulp, as CUDA says; some 31 bits of the logarithm count where the power is large. The power of
// two is the GPU's approximation, off by 2 ulp, where its result is a normal number.
#include "../series.h"
#include "float_binary_logarithm.h"
#include "float_powers_of_two.h"
#include "gpu.h"

using namespace gridspan::device_library;

namespace {

#define HELPER static inline __attribute__((always_inline))

constexpr float infinity = __builtin_inff();

HELPER unsigned bits_of(float x) { return __builtin_bit_cast(unsigned, x); }

/// (x * 2^more)^y for positive normal x and finite y.
HELPER float power(float x, int more, float y) {
  const Pair logarithm = binary_logarithm(x, more);
  const float product = y * logarithm.high;
  const float product_low = __builtin_fmaf(y, logarithm.high, -product);
  const float low = __builtin_fmaf(y, logarithm.low, product_low);
  if (__builtin_fabsf(product) < 126) {
    constexpr float ln_2 = 0x1.62e430p-1F;
    const float near = __nvvm_ex2_approx_ftz_f(product);
    return __builtin_fmaf(near, low * ln_2, near);
  }
  if (!(__builtin_fabsf(product) < 160)) return product < 0 ? 0 : infinity;
  return times_power_of_two(1, product, low);
}

HELPER bool is_integer(float x) { return __builtin_truncf(x) == x; }

/// All other arguments, as the C standard has it (F.10.4.4).
HELPER float power_of_special(float x, float y) {
  if (x == 1 || y == 0) return 1;
  if (x != x || y != y) return x + y;
  const float size = __builtin_fabsf(x);
  if (__builtin_fabsf(y) == infinity) return size == 1 ? 1 : (size > 1) == (y > 0) ? infinity : 0;
  const bool is_odd = is_integer(y) && !is_integer(y * 0.5F);
  float result;
  if (size == 0 || size == infinity) {
    result = (size == 0) == (y > 0) ? 0 : infinity;
  } else {
    if (x < 0 && !is_integer(y)) return __builtin_nanf("");
    const bool is_small = size < 0x1p-126F;
    result = power(is_small ? size * 0x1p24F : size, is_small ? -24 : 0, y);
  }
  return is_odd ? __builtin_copysignf(result, x) : result;
}

}  // namespace

DEVICE_FUNCTION float powf(float x, float y) {
  // As integers, positive normal numbers lie between the least of them and infinity.
  const bool is_ordinary = bits_of(x) - 0x00800000 < 0x7f000000 && __builtin_fabsf(y) < infinity;
  return is_ordinary ? power(x, 0, y) : power_of_special(x, y);
}
