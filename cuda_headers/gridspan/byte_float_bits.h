// 8-bit floating-point numbers as bits: from double, rounded once, and to half precision, exactly.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "device_macros.h"

namespace gridspan_byte_float {

/// 4 bits of exponent, 3 of fraction; no infinity, one NaN for each sign.
struct E4m3 {
  static constexpr int fraction_bits = 3, bias = 7;
  static constexpr unsigned int largest = 0x7e, beyond = 0x7f, nan = 0x7f;
};

/// 5 bits of exponent, 2 of fraction: the upper half of a half-precision number.
struct E5m2 {
  static constexpr int fraction_bits = 2, bias = 15;
  static constexpr unsigned int largest = 0x7b, beyond = 0x7c, nan = 0x7f;
};

/// To nearest, ties to even. What is too large becomes the largest number if `saturates`, and
/// otherwise infinity or, without one, NaN.
template <class Format>
GRIDSPAN_HOST_DEVICE unsigned char narrow(double value, bool saturates) {
  const unsigned long long bits = __builtin_bit_cast(unsigned long long, value);
  const unsigned long long magnitude = bits & ~(1ull << 63), infinite = 0x7ffull << 52;
  const unsigned int sign = (unsigned int)(bits >> 63) << 7;
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
  if (rest > half || (rest == half && (code & 1) != 0)) ++code;
  // The leading one counts as one step of the exponent.
  if (exponent >= lowest) code += (unsigned long long)(exponent - lowest) << Format::fraction_bits;
  return (unsigned char)(code > Format::largest ? overflow : sign | (unsigned int)code);
}

/// Bits of the half-precision number of the same value.
template <class Format>
GRIDSPAN_HOST_DEVICE unsigned short widen(unsigned char byte) {
  const unsigned int sign = (byte & 0x80u) << 8, magnitude = byte & 0x7fu;
  if (Format::fraction_bits == 2)  // NaN keeps no sign and no payload
    return (unsigned short)(magnitude > Format::beyond ? 0x7fffu : (unsigned int)byte << 8);
  if (magnitude == Format::nan) return 0x7fff;
  unsigned int fraction = magnitude & 7u, exponent = magnitude >> 3;
  if (exponent == 0) {  // 2^-9 times a small number, which half precision has as a normal one
    if (fraction == 0) return (unsigned short)sign;
    exponent = 1;
    while ((fraction & 8u) == 0) {
      fraction <<= 1;
      --exponent;  // wraps; the sum below is right
    }
    fraction &= 7u;
  }
  return (unsigned short)(sign | ((exponent + 8u) << 10) | fraction << 7);
}

}  // namespace gridspan_byte_float
