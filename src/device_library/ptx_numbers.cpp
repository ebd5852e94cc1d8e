// Arithmetic and conversions of small floating-point numbers for inline PTX.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums and products of 16-bit numbers are exact in a double or rounded far below their last digit
// to odd, so one rounding counts.
#include "small_numbers.h"

#include <cmath>

namespace {

using namespace gridspan::device_library;
using Bits = unsigned short;

/// a + b rounded to odd: never taken for a tie that it is not.
HELPER double odd_sum(double a, double b) {
  const Sum sum = two_sum(a, b);
  if (sum.low == 0 || !is_finite(sum.high)) return sum.high;
  auto bits = bits_as<std::uint64_t>(sum.high);
  if ((bits & 1) != 0) return sum.high;
  const bool away = (sum.low > 0) == (sum.high > 0);
  return bits_as<double>(away ? bits + 1 : bits - 1);
}

template <SmallFormat format>
HELPER Bits rounded(double value) {
  return static_cast<Bits>(narrowed<format>(value, SmallRounding::nearest, false));
}

template <SmallFormat format>
HELPER bool is_nan_of(Bits a) {
  return (a & 0x7fff) > format.infinity;
}

template <SmallFormat format>
HELPER Bits clamped(Bits a) {
  const double value = widened<format>(a);
  return rounded<format>(value > 0 ? (value < 1 ? value : 1.0) : 0.0);
}

/// Zeros are ordered; NaN loses unless it is to win.
template <SmallFormat format>
HELPER Bits extreme(Bits a, Bits b, bool smaller, bool keeps_nan) {
  const bool a_is_nan = is_nan_of<format>(a), b_is_nan = is_nan_of<format>(b);
  if (a_is_nan || b_is_nan)
    return (a_is_nan && b_is_nan) || keeps_nan ? format.nan : a_is_nan ? b : a;
  const double x = widened<format>(a), y = widened<format>(b);
  if (x == y) return ((a >> 15) != 0) == smaller ? a : b;
  return (x < y) == smaller ? a : b;
}

}  // namespace

#define ARITHMETIC(name, format)                                                                  \
  DEVICE_FUNCTION Bits __gridspan_ptx_##name##_add(Bits a, Bits b) {                              \
    return rounded<format>(odd_sum(widened<format>(a), widened<format>(b)));                      \
  }                                                                                               \
  DEVICE_FUNCTION Bits __gridspan_ptx_##name##_sub(Bits a, Bits b) {                              \
    return rounded<format>(odd_sum(widened<format>(a), -widened<format>(b)));                     \
  }                                                                                               \
  DEVICE_FUNCTION Bits __gridspan_ptx_##name##_mul(Bits a, Bits b) {                              \
    return rounded<format>(widened<format>(a) * widened<format>(b));                              \
  }                                                                                               \
  DEVICE_FUNCTION Bits __gridspan_ptx_##name##_fma(Bits a, Bits b, Bits c) {                      \
    return rounded<format>(odd_sum(widened<format>(a) * widened<format>(b), widened<format>(c))); \
  }                                                                                               \
  DEVICE_FUNCTION Bits __gridspan_ptx_##name##_fma_relu(Bits a, Bits b, Bits c) {                 \
    const Bits made = __gridspan_ptx_##name##_fma(a, b, c);                                       \
    return is_nan_of<format>(made) ? format.nan : (made >> 15) != 0 ? Bits{0} : made;             \
  }                                                                                               \
  DEVICE_FUNCTION Bits __gridspan_ptx_##name##_add_sat(Bits a, Bits b) {                          \
    return clamped<format>(__gridspan_ptx_##name##_add(a, b));                                    \
  }                                                                                               \
  DEVICE_FUNCTION Bits __gridspan_ptx_##name##_sub_sat(Bits a, Bits b) {                          \
    return clamped<format>(__gridspan_ptx_##name##_sub(a, b));                                    \
  }                                                                                               \
  DEVICE_FUNCTION Bits __gridspan_ptx_##name##_mul_sat(Bits a, Bits b) {                          \
    return clamped<format>(__gridspan_ptx_##name##_mul(a, b));                                    \
  }                                                                                               \
  DEVICE_FUNCTION Bits __gridspan_ptx_##name##_fma_sat(Bits a, Bits b, Bits c) {                  \
    return clamped<format>(__gridspan_ptx_##name##_fma(a, b, c));                                 \
  }                                                                                               \
  DEVICE_FUNCTION Bits __gridspan_ptx_##name##_min(Bits a, Bits b) {                              \
    return extreme<format>(a, b, true, false);                                                    \
  }                                                                                               \
  DEVICE_FUNCTION Bits __gridspan_ptx_##name##_max(Bits a, Bits b) {                              \
    return extreme<format>(a, b, false, false);                                                   \
  }                                                                                               \
  DEVICE_FUNCTION Bits __gridspan_ptx_##name##_min_nan(Bits a, Bits b) {                          \
    return extreme<format>(a, b, true, true);                                                     \
  }                                                                                               \
  DEVICE_FUNCTION Bits __gridspan_ptx_##name##_max_nan(Bits a, Bits b) {                          \
    return extreme<format>(a, b, false, true);                                                    \
  }                                                                                               \
  DEVICE_FUNCTION Bits __gridspan_ptx_##name##_neg(Bits a) {                                      \
    return static_cast<Bits>(a ^ 0x8000);                                                         \
  }                                                                                               \
  DEVICE_FUNCTION Bits __gridspan_ptx_##name##_abs(Bits a) {                                      \
    return static_cast<Bits>(a & 0x7fff);                                                         \
  }                                                                                               \
  DEVICE_FUNCTION Bits __gridspan_ptx_##name##_ex2(Bits a) {                                      \
    return rounded<format>(exp2(widened<format>(a)));                                             \
  }                                                                                               \
  DEVICE_FUNCTION Bits __gridspan_ptx_##name##_tanh(Bits a) {                                     \
    return rounded<format>(tanh(widened<format>(a)));                                             \
  }                                                                                               \
  DEVICE_FUNCTION Bits __gridspan_ptx_f32_to_##name(float a) { return rounded<format>(a); }       \
  DEVICE_FUNCTION Bits __gridspan_ptx_f32_to_##name##_rz(float a) {                               \
    return static_cast<Bits>(narrowed<format>(a, SmallRounding::toward_zero, false));             \
  }                                                                                               \
  DEVICE_FUNCTION Bits __gridspan_ptx_f32_to_##name##_finite(float a) {                           \
    return static_cast<Bits>(narrowed<format>(a, SmallRounding::nearest, true));                  \
  }
ARITHMETIC(f16, binary16)
ARITHMETIC(bf16, bfloat16)
#undef ARITHMETIC

DEVICE_FUNCTION float __gridspan_ptx_bf16_to_f32(Bits a) {
  return bits_as<float>(static_cast<unsigned>(a) << 16);
}

/// Negative numbers become zero; NaN stays one.
DEVICE_FUNCTION float __gridspan_ptx_relu(float a) {
  if (is_nan(a)) return bits_as<float>(0x7fffffffu);
  return a > 0 ? a : 0.0F;
}

#define BYTES(name)                                                                          \
  DEVICE_FUNCTION unsigned char __gridspan_ptx_f32_to_##name(float a) {                      \
    return static_cast<unsigned char>(narrowed<name>(a, SmallRounding::nearest, true));      \
  }                                                                                          \
  DEVICE_FUNCTION unsigned __gridspan_ptx_##name##x2_to_f16x2(unsigned short pair) {         \
    return static_cast<unsigned>(rounded<binary16>(widened<name>(pair >> 8 & 0xff))) << 16 | \
           rounded<binary16>(widened<name>(pair & 0xff));                                    \
  }
BYTES(e4m3)
BYTES(e5m2)
#undef BYTES

/// The nearest number of 10 binary digits after the point, halves away from zero.
DEVICE_FUNCTION unsigned __gridspan_ptx_f32_to_tf32(float a) {
  const auto bits = bits_as<unsigned>(a);
  if ((bits & 0x7f800000u) == 0x7f800000u) return is_nan(a) ? 0x7fffffffu : bits;
  return (bits + 0x1000u) & ~0x1fffu;
}
