// Floating-point numbers of 8 and 16 bits, as their bits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "device_library.h"

namespace gridspan::device_library {

/// How a format divides its bits. `largest` is the largest finite magnitude; formats without an
/// infinity have infinity == nan.
struct SmallFormat {
  unsigned bits, fraction_bits;
  int bias;
  unsigned largest, infinity, nan;
};

inline constexpr SmallFormat binary16{16, 10, 15, 0x7bff, 0x7c00, 0x7fff};
inline constexpr SmallFormat bfloat16{16, 7, 127, 0x7f7f, 0x7f80, 0x7fff};
inline constexpr SmallFormat e4m3{8, 3, 7, 0x7e, 0x7f, 0x7f};
inline constexpr SmallFormat e5m2{8, 2, 15, 0x7b, 0x7c, 0x7f};

enum class SmallRounding { nearest, toward_zero };

/// `value` rounded once. Beyond the largest number: infinity, or the largest where `is_finite`.
template <SmallFormat format>
HELPER unsigned narrowed(double value, SmallRounding rounding, bool is_finite) {
  const auto all = bits_as<std::uint64_t>(value);
  const auto sign = static_cast<unsigned>(all >> 63) << (format.bits - 1);
  const std::uint64_t magnitude = all & ~(std::uint64_t{1} << 63);
  constexpr std::uint64_t infinite = std::uint64_t{0x7ff} << 52;
  if (magnitude > infinite) return format.nan;
  if (magnitude == infinite) return sign | (is_finite ? format.largest : format.infinity);
  const int exponent = static_cast<int>(magnitude >> 52) - 1023;  // zeros come out as zero
  const int lowest = 1 - format.bias;
  int dropped = 52 - static_cast<int>(format.fraction_bits);
  if (exponent < lowest) dropped += lowest - exponent;
  if (dropped > 54) dropped = 54;  // less than half of the smallest number
  std::uint64_t fraction = magnitude & ((std::uint64_t{1} << 52) - 1);
  if (magnitude >> 52 != 0) fraction |= std::uint64_t{1} << 52;
  std::uint64_t kept = fraction >> dropped;
  const std::uint64_t rest = fraction & ((std::uint64_t{1} << dropped) - 1);
  const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
  if (rounding == SmallRounding::nearest && (rest > half || (rest == half && (kept & 1) != 0)))
    ++kept;
  // kept carries its leading one into the exponent.
  std::uint64_t made = kept;
  if (exponent >= lowest)
    made += static_cast<std::uint64_t>(exponent - lowest) << format.fraction_bits;
  if (made > format.largest)
    return sign |
           (is_finite || rounding == SmallRounding::toward_zero ? format.largest : format.infinity);
  return sign | static_cast<unsigned>(made);
}

template <SmallFormat format>
HELPER double widened(unsigned bits) {
  const bool is_negative = (bits >> (format.bits - 1) & 1) != 0;
  const unsigned magnitude = bits & ((1u << (format.bits - 1)) - 1);
  const unsigned exponent = magnitude >> format.fraction_bits;
  const unsigned fraction = magnitude & ((1u << format.fraction_bits) - 1);
  double value;
  if (magnitude > format.largest) {
    value = magnitude == format.infinity && format.infinity != format.nan ? __builtin_inf()
                                                                          : __builtin_nan("");
  } else {
    const unsigned leading = exponent != 0 ? 1u << format.fraction_bits : 0;
    const int power = static_cast<int>(exponent != 0 ? exponent : 1) - format.bias -
                      static_cast<int>(format.fraction_bits);
    value = static_cast<double>(leading | fraction) *
            bits_as<double>(static_cast<std::uint64_t>(power + 1023) << 52);
  }
  return is_negative ? -value : value;
}

}  // namespace gridspan::device_library
