// Directed rounding without touching the processor's rounding mode.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Idea: compute to nearest, find the sign of what the rounding left (the remainder), and step to
// the neighbour where the mode asks for it. Remainders come from FMA and exact sums.
#pragma once

#include "device_library.h"

namespace gridspan::device_library {

enum class Rounding { nearest, zero, up, down };

/// `rounded` is the number nearest to an exact value (infinity on overflow); `remainder` has the
/// sign of exact - rounded. Returns the exact value rounded as `mode` says.
template <Rounding mode, class Float>
HELPER Float step_towards(Float rounded, double remainder) {
  bool toward_zero_from_above = mode == Rounding::zero && rounded > 0;
  bool toward_zero_from_below = mode == Rounding::zero && rounded < 0;
  if ((mode == Rounding::up || toward_zero_from_below) && remainder > 0) return next_up(rounded);
  if ((mode == Rounding::down || toward_zero_from_above) && remainder < 0) {
    return next_down(rounded);
  }
  return rounded;
}

/// Whether |x| lies so far from overflow and underflow, 2^-960 <= |x| < 2^941, that the remainder
/// of an operation with the result x is a double itself.
HELPER bool is_amid(double x) {
  return static_cast<unsigned>(bits_as<std::uint64_t>(x) >> 52 & 0x7ff) - 63U < 1901U;
}

/// step_towards for such numbers, without branches.
template <Rounding mode>
HELPER double step_amid(double rounded, double remainder) {
  bool is_negative = rounded < 0;
  bool is_too_near_zero = is_negative ? remainder < 0 : remainder > 0;
  bool is_too_far = is_negative ? remainder > 0 : remainder < 0;
  // As bits, numbers of either sign grow away from zero.
  std::int64_t step = 0;
  if (mode == Rounding::zero) step = is_too_far ? -1 : 0;
  if (mode == Rounding::up) step = remainder > 0 ? (is_too_far ? -1 : 1) : 0;
  if (mode == Rounding::down) step = remainder < 0 ? (is_too_near_zero ? 1 : -1) : 0;
  return bits_as<double>(bits_as<std::int64_t>(rounded) + step);
}

/// x * 2^exponent for |x| in [1/4, 8), rounded once.
HELPER double scale(double x, int exponent) {
  auto power = [](int e) { return bits_as<double>(static_cast<std::uint64_t>(e + 1023) << 52); };
  // Two factors: the first product is normal, only the second may round.
  if (exponent < -1000) {
    return x * 0x1p-1000 * (exponent < -1100 ? 0x1p-1000 : power(exponent + 1000));
  }
  if (exponent > 1000) {
    return x * 0x1p1000 * (exponent > 1100 ? 0x1p1000 : power(exponent - 1000));
  }
  return x * power(exponent);
}

/// Mantissa in [1, 2) with the sign, and exponent, of a finite non-zero number.
struct Split {
  double mantissa;
  int exponent;
};
HELPER Split split(double x) {
  auto bits = bits_as<std::uint64_t>(x);
  int exponent = static_cast<int>(bits >> 52 & 0x7ff);
  if (exponent == 0) {
    bits = bits_as<std::uint64_t>(x * 0x1p54);
    exponent = static_cast<int>(bits >> 52 & 0x7ff) - 54;
  }
  return {bits_as<double>((bits & 0x800fffffffffffffu) | 0x3ff0000000000000u), exponent - 1023};
}

/// (high + something with the sign of `remainder`, less than half an ulp) * 2^exponent, rounded to
/// double. |high| in [1/4, 8).
template <Rounding mode>
HELPER double round_scaled(double high, double remainder, int exponent) {
  double rounded = scale(high, exponent);
  if (__builtin_isinf(rounded)) return step_towards<mode>(rounded, rounded > 0 ? -1.0 : 1.0);
  double back = 0;
  if (rounded != 0) {
    Split parts = split(rounded);
    // Exact: `rounded` has at most the bits of `high`, and about its magnitude.
    back = scale(parts.mantissa, parts.exponent - exponent);
  }
  double difference = high - back;
  if (rounded == 0) rounded = __builtin_copysign(0.0, high);
  return step_towards<mode>(rounded, difference != 0 ? difference : remainder);
}

}  // namespace gridspan::device_library
