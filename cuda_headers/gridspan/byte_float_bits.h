// Floating-point numbers of 8, 6 and 4 bits as bits: from double, rounded once, and to half
// precision, exactly; scales of 8 bits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "device_macros.h"

namespace gridspan_byte_float {

/// 4 bits of exponent, 3 of fraction; no infinity, one NaN for each sign.
struct E4m3 {
  static constexpr int fraction_bits = 3, bias = 7, sign_bit = 7;
  static constexpr unsigned int largest = 0x7e, beyond = 0x7f, nan = 0x7f;
};

/// 5 bits of exponent, 2 of fraction: the upper half of a half-precision number.
struct E5m2 {
  static constexpr int fraction_bits = 2, bias = 15, sign_bit = 7;
  static constexpr unsigned int largest = 0x7b, beyond = 0x7c, nan = 0x7f;
};

/// Six and four bits: neither infinity nor NaN, which becomes the largest number.
struct E2m3 {
  static constexpr int fraction_bits = 3, bias = 1, sign_bit = 5;
  static constexpr unsigned int largest = 0x1f, beyond = 0x1f, nan = 0x1f;
};
struct E3m2 {
  static constexpr int fraction_bits = 2, bias = 3, sign_bit = 5;
  static constexpr unsigned int largest = 0x1f, beyond = 0x1f, nan = 0x1f;
};
struct E2m1 {
  static constexpr int fraction_bits = 1, bias = 1, sign_bit = 3;
  static constexpr unsigned int largest = 7, beyond = 7, nan = 7;
};

/// As cudaRoundMode: to nearest (ties to even), to zero, up, down.
enum Rounding { nearest, to_zero, up, down };

/// What is too large becomes the largest number if `saturates`, and otherwise infinity or, without
/// one, NaN.
template <class Format>
GRIDSPAN_HOST_DEVICE unsigned char narrow(double value, bool saturates, int rounding = nearest) {
  const unsigned long long bits = __builtin_bit_cast(unsigned long long, value);
  const unsigned long long magnitude = bits & ~(1ull << 63), infinite = 0x7ffull << 52;
  const unsigned int sign = (unsigned int)(bits >> 63) << Format::sign_bit;
  if (magnitude > infinite) return (unsigned char)Format::nan;
  const unsigned int overflow = sign | (saturates ? Format::largest : Format::beyond);
  if (magnitude == infinite) return (unsigned char)overflow;
  const int exponent = (int)(magnitude >> 52) - 1023, lowest = 1 - Format::bias;
  int dropped = 52 - Format::fraction_bits + (exponent < lowest ? lowest - exponent : 0);
  if (dropped > 54) dropped = 54;  // less than half of the smallest number
  const unsigned long long leading = magnitude >> 52 != 0 ? 1ull << 52 : 0;
  const unsigned long long fraction = (magnitude & ((1ull << 52) - 1)) | leading;
  const unsigned long long rest = fraction & ((1ull << dropped) - 1), half = 1ull << (dropped - 1);
  unsigned long long code = fraction >> dropped;
  const bool away = rounding == nearest ? rest > half || (rest == half && (code & 1) != 0)
                                        : rest != 0 && rounding == (sign ? down : up);
  if (away) ++code;
  // The leading one counts as one step of the exponent.
  if (exponent >= lowest) code += (unsigned long long)(exponent - lowest) << Format::fraction_bits;
  return (unsigned char)(code > Format::largest ? overflow : sign | (unsigned int)code);
}

/// Bits of the half-precision number of the same value.
template <class Format>
GRIDSPAN_HOST_DEVICE unsigned short widen(unsigned char byte) {
  constexpr unsigned int implied = 1u << Format::fraction_bits, sign_mask = 1u << Format::sign_bit;
  const unsigned int sign = (byte & sign_mask) << (15 - Format::sign_bit);
  const unsigned int magnitude = byte & (sign_mask - 1);
  if (Format::bias == 15)  // NaN keeps no sign and no payload
    return (unsigned short)(magnitude > Format::beyond ? 0x7fffu : (unsigned int)byte << 8);
  if (Format::nan > Format::largest && magnitude == Format::nan) return 0x7fff;
  unsigned int fraction = magnitude & (implied - 1), exponent = magnitude >> Format::fraction_bits;
  if (exponent == 0) {  // a small number, which half precision has as a normal one
    if (fraction == 0) return (unsigned short)sign;
    exponent = 1;
    while ((fraction & implied) == 0) {
      fraction <<= 1;
      --exponent;  // wraps; the sum below is right
    }
    fraction &= implied - 1;
  }
  return (unsigned short)(sign | ((exponent + 15u - Format::bias) << 10) |
                          fraction << (10 - Format::fraction_bits));
}

/// A power of two, 2^(code - 127), or NaN (255): the magnitude, rounded up or to zero.
GRIDSPAN_HOST_DEVICE unsigned char to_scale(double value, bool saturates, int rounding) {
  const unsigned long long magnitude =
      __builtin_bit_cast(unsigned long long, value) & ~(1ull << 63);
  if (magnitude > 0x7ffull << 52) return 0xff;
  const int exponent = (int)(magnitude >> 52) - 1023;
  const bool is_power = (magnitude & ((1ull << 52) - 1)) == 0;
  const int rounded = exponent + (rounding == up && !is_power ? 1 : 0);
  if (rounded > 127) return saturates ? 0xfe : 0xff;
  return (unsigned char)(rounded < -127 ? 0 : rounded + 127);
}
/// Rounded up.
GRIDSPAN_HOST_DEVICE unsigned char whole_to_scale(unsigned long long value) {
  if (value == 0) return 0;
  const bool is_power = (value & (value - 1)) == 0;
  return (unsigned char)(127 + 63 - __builtin_clzll(value) + (is_power ? 0 : 1));
}
GRIDSPAN_HOST_DEVICE unsigned short scale_to_bfloat16(unsigned char scale) {
  if (scale == 0xff) return 0x7fff;
  return (unsigned short)(scale == 0 ? 0x40u : (unsigned int)scale << 7);
}

}  // namespace gridspan_byte_float
