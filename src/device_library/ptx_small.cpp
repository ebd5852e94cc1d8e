// 16-bit floating-point numbers in inline PTX: from wide numbers, and in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "small_numbers.h"

namespace {

using namespace gridspan::device_library;
using Bits = unsigned short;
using Wide = unsigned long long;

/// As a double whose last digit is odd if it is not exact: rounding that once more is right.
HELPER double odd_double(Wide value) {
  if (value >> 53 == 0) return static_cast<double>(value);
  const Wide sticky = (value & 0x7ff) != 0 ? 1 : 0;
  return static_cast<double>(value >> 11 | sticky) * 2048;
}
HELPER double odd_double(long long value) {
  const auto bits = static_cast<Wide>(value);
  return value < 0 ? -odd_double(Wide{0} - bits) : odd_double(bits);
}

template <SmallFormat format>
HELPER Bits sum(Bits a, Bits b) {
  // The sum of two of them is exact in a double but for numbers so far apart that the smaller one
  // only decides ties; there it counts as a little.
  const Sum both = two_sum(widened<format>(a), widened<format>(b));
  double value = both.high;
  if (both.low != 0 && is_finite(value) && (bits_as<Wide>(value) & 1) == 0)
    value = bits_as<double>((both.low > 0) == (value > 0) ? bits_as<Wide>(value) + 1
                                                          : bits_as<Wide>(value) - 1);
  return static_cast<Bits>(narrowed<format>(value, SmallRounding::nearest, false));
}

template <SmallFormat format>
HELPER unsigned sum_of_pairs(unsigned a, unsigned b) {
  const unsigned low = sum<format>(static_cast<Bits>(a), static_cast<Bits>(b));
  const unsigned high = sum<format>(static_cast<Bits>(a >> 16), static_cast<Bits>(b >> 16));
  return low | high << 16;
}

template <class Word, class Combine>
HELPER Word update(Word* place, Word value, Combine combine) {
  Word before = __atomic_load_n(place, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(place, &before, combine(before, value), false,
                                      __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
  }
  return before;
}

}  // namespace

#define CONVERSIONS(name, format)                                                                  \
  DEVICE_FUNCTION Bits __gridspan_ptx_f64_to_##name(double a) {                                    \
    return static_cast<Bits>(narrowed<format>(a, SmallRounding::nearest, false));                  \
  }                                                                                                \
  DEVICE_FUNCTION Bits __gridspan_ptx_f64_to_##name##_rz(double a) {                               \
    return static_cast<Bits>(narrowed<format>(a, SmallRounding::toward_zero, false));              \
  }                                                                                                \
  DEVICE_FUNCTION unsigned __gridspan_ptx_atomic_add_##name##x2(unsigned* place, unsigned value) { \
    return update(place, value,                                                                    \
                  [](unsigned a, unsigned b) { return sum_of_pairs<format>(a, b); });              \
  }                                                                                                \
  DEVICE_FUNCTION Bits __gridspan_ptx_atomic_add_##name(Bits* place, Bits value) {                 \
    return update(place, value, [](Bits a, Bits b) { return sum<format>(a, b); });                 \
  }
CONVERSIONS(f16, binary16)
CONVERSIONS(bf16, bfloat16)
#undef CONVERSIONS

/// For a second rounding to 16 bits.
DEVICE_FUNCTION double __gridspan_ptx_s64_to_odd_f64(long long a) { return odd_double(a); }
DEVICE_FUNCTION double __gridspan_ptx_u64_to_odd_f64(Wide a) { return odd_double(a); }
