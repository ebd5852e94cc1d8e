// 16-bit floating-point formats as bits: to float, and from float and double in each rounding.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer arithmetic only, so that flushing of denormal numbers changes nothing.
#pragma once

#include "device_macros.h"

namespace gridspan_small_float {

enum Rounding { nearest, toward_zero, downward, upward };

GRIDSPAN_HOST_DEVICE unsigned int bits_of(float value) {
  return __builtin_bit_cast(unsigned, value);
}
GRIDSPAN_HOST_DEVICE float float_of(unsigned int bits) { return __builtin_bit_cast(float, bits); }

/// IEEE binary16: 5 bits of exponent, 10 of fraction.
struct Half {
  static constexpr unsigned int infinity = 0x7c00, nan = 0x7fff, largest = 0x7bff;
  /// Holds a product of two exactly: 22 bits, a multiple of 2^-48. A float has twice as many lanes.
  using Product = float;
  using ProductBits = unsigned int;

  GRIDSPAN_HOST_DEVICE float widen(unsigned short half) {
    const unsigned int sign = (half & 0x8000u) << 16, magnitude = half & 0x7fffu;
    const unsigned int shifted = magnitude << 13;
    if (magnitude >= infinity) return float_of(sign | 0x7f800000u | shifted);
    if (magnitude >= 0x0400) return float_of(sign | (shifted + (112u << 23)));
    // Denormal: a whole number of 2^-24.
    return float_of(sign | bits_of(float(int(magnitude)) * 5.9604644775390625e-8f));
  }

  /// A finite magnitude, cut off; `rest` is what was lost, in 2^-32 of a unit in the last place.
  GRIDSPAN_HOST_DEVICE unsigned int cut(unsigned int magnitude, unsigned int& rest) {
    const unsigned int exponent = magnitude >> 23;
    if (exponent >= 113) {
      rest = magnitude << 19;
      return (magnitude - (112u << 23)) >> 13;
    }
    const unsigned int fraction = (magnitude & 0x7fffffu) | (exponent != 0 ? 0x800000u : 0u);
    const unsigned int shift = 126u - exponent;  // 14 for the largest denormal number
    if (shift > 31) {
      rest = fraction != 0;
      return 0;
    }
    const unsigned long long wide = (unsigned long long)fraction << 32 >> shift;
    const bool lost = ((unsigned long long)fraction << 32) != wide << shift;
    rest = (unsigned int)wide | (lost ? 1u : 0u);
    return (unsigned int)(wide >> 32);
  }
};

/// bfloat16: the upper half of a float.
struct Bfloat {
  static constexpr unsigned int infinity = 0x7f80, nan = 0x7fff, largest = 0x7f7f;
  /// Products leave the range of float.
  using Product = double;
  using ProductBits = unsigned long long;

  GRIDSPAN_HOST_DEVICE float widen(unsigned short number) {
    return float_of((unsigned int)number << 16);
  }
  GRIDSPAN_HOST_DEVICE unsigned int cut(unsigned int magnitude, unsigned int& rest) {
    rest = magnitude << 16;
    return magnitude >> 16;
  }
};

template <class Format>
GRIDSPAN_HOST_DEVICE unsigned short narrow(float value, Rounding rounding) {
  const unsigned int bits = bits_of(value), magnitude = bits & 0x7fffffffu;
  const unsigned int sign = bits >> 31;
  if (magnitude > 0x7f800000u) return (unsigned short)Format::nan;
  unsigned int rest = 0, cut = Format::infinity;
  if (magnitude < 0x7f800000u) {
    cut = Format::cut(magnitude, rest);
    const bool away = rounding == nearest
                          ? rest > 0x80000000u || (rest == 0x80000000u && (cut & 1u) != 0)
                          : rest != 0 && rounding == (sign != 0 ? downward : upward);
    if (cut > Format::largest) {  // beyond the largest number
      const bool stays = rounding == toward_zero || rounding == (sign != 0 ? upward : downward);
      cut = stays ? Format::largest : Format::infinity;
    } else if (away) {
      ++cut;
    }
  }
  return (unsigned short)(sign << 15 | cut);
}

/// Rounds to odd in between, so that the second rounding is the only one that counts.
template <class Format>
GRIDSPAN_HOST_DEVICE unsigned short narrow(double value, Rounding rounding) {
  float near = float(value);
  unsigned int bits = bits_of(near);
  if (value == value && double(near) != value) {
    const double size = value < 0 ? -value : value, got = near < 0 ? -double(near) : double(near);
    if (got > size) --bits;  // toward zero; from infinity to the largest number
    bits |= 1u;
    near = float_of(bits);
  }
  return narrow<Format>(near, rounding);
}

/// A whole number that a double holds, and that rounds to 16 bits as `value` does.
template <class T>
GRIDSPAN_HOST_DEVICE T shorten(T value) {
  if (sizeof(T) < 8) return value;
  const T low = value & (T)0x7ff, limit = (T)(1ll << 53);
  const bool is_long = value >= limit || (T(-1) < T(0) && value <= (T)-limit);
  return is_long && low != 0 ? (T)((value - low) | (T)0x400) : value;
}

/// Toward zero; the nearest that the type has; NaN is zero.
template <class T>
GRIDSPAN_HOST_DEVICE T whole(float value) {
  constexpr bool has_sign = T(-1) < T(0);
  constexpr T maximum = T(~0ull >> (64 - 8 * sizeof(T) + (has_sign ? 1 : 0)));
  constexpr T minimum = has_sign ? T(-maximum - 1) : T(0);
  if (value != value) return 0;
  if (value <= (float)minimum) return minimum;
  return value >= (float)maximum ? maximum : (T)value;
}

/// a * b + c of numbers whose product is exact, rounded to odd: it rounds to 16 bits as the exact
/// result does.
template <class Bits, class Real>
GRIDSPAN_HOST_DEVICE Real fused_to_odd(Real a, Real b, Real c) {
  const Real product = a * b, sum = product + c;
  const Real of_c = sum - product;
  const Real rest = (product - (sum - of_c)) + (c - of_c);  // what the sum lost
  if (!(rest < 0 || rest > 0)) return sum;
  const Bits bits = __builtin_bit_cast(Bits, sum);
  if (bits & 1) return sum;
  return __builtin_bit_cast(Real, (rest > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

}  // namespace gridspan_small_float
