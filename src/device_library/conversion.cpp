// Conversions between number types with an explicit rounding.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// To integer: PTX's cvt saturates; NaN becomes 0 for float → 32 bits, else the top bit alone. The
// file is compiled with -fno-strict-float-cast-overflow: a cast saturates and takes NaN to 0.
#include "device_library.h"
#include "rounding.h"

#include <limits>

using namespace gridspan::device_library;

namespace {

template <class To, class From>
HELPER To to_integer(From value) {
  constexpr bool nan_is_zero = sizeof(From) == 4 && sizeof(To) == 4;
  constexpr To top_bit = static_cast<To>(To{1} << (sizeof(To) * 8 - 1));
  if (!nan_is_zero && is_nan(value)) return top_bit;
  return static_cast<To>(value);
}

HELPER float nearest(float x) { return __builtin_rintf(x); }
HELPER double nearest(double x) { return __builtin_rint(x); }
HELPER float up(float x) { return __builtin_ceilf(x); }
HELPER double up(double x) { return __builtin_ceil(x); }
HELPER float down(float x) { return __builtin_floorf(x); }
HELPER double down(double x) { return __builtin_floor(x); }

/// -1, 0, 1 as the integer is below, equal to or above its rounded image. The image of the greatest
/// integers is a power of two outside the type.
template <class Integer, class Float>
HELPER int compare(Integer exact, Float rounded) {
  constexpr Float limit = static_cast<Float>(std::numeric_limits<Integer>::max());
  if (rounded >= limit) return -1;
  Integer back = static_cast<Integer>(rounded);
  return exact < back ? -1 : exact > back ? 1 : 0;
}

template <Rounding mode, class Float, class Integer>
HELPER Float from_integer(Integer value) {
  Float rounded = static_cast<Float>(value);
  if constexpr (mode == Rounding::nearest) return rounded;
  return step_towards<mode>(rounded, compare(value, rounded));
}

template <Rounding mode>
HELPER float to_float(double value) {
  float rounded = static_cast<float>(value);
  if (mode == Rounding::nearest || is_nan(value) || value == rounded) return rounded;
  return step_towards<mode>(rounded, value < rounded ? -1 : 1);
}

}  // namespace

#define TO_INTEGER(name, integer, real)                                                      \
  DEVICE_INLINE integer __nv_##name##_rn(real a) { return to_integer<integer>(nearest(a)); } \
  DEVICE_INLINE integer __nv_##name##_rz(real a) { return to_integer<integer>(a); }          \
  DEVICE_INLINE integer __nv_##name##_ru(real a) { return to_integer<integer>(up(a)); }      \
  DEVICE_INLINE integer __nv_##name##_rd(real a) { return to_integer<integer>(down(a)); }
TO_INTEGER(float2int, int, float)
TO_INTEGER(float2uint, unsigned int, float)
TO_INTEGER(float2ll, long long, float)
TO_INTEGER(float2ull, unsigned long long, float)
TO_INTEGER(double2int, int, double)
TO_INTEGER(double2uint, unsigned int, double)
TO_INTEGER(double2ll, long long, double)
TO_INTEGER(double2ull, unsigned long long, double)

DEVICE_INLINE long long __nv_llrint(double a) { return to_integer<long long>(nearest(a)); }
DEVICE_INLINE long long __nv_llrintf(float a) { return to_integer<long long>(nearest(a)); }
DEVICE_INLINE long long __nv_llround(double a) { return to_integer<long long>(__builtin_round(a)); }
DEVICE_INLINE long long __nv_llroundf(float a) {
  return to_integer<long long>(__builtin_roundf(a));
}

#define FROM_INTEGER(name, real, integer)                                                          \
  DEVICE_INLINE real __nv_##name##_rn(integer a) { return static_cast<real>(a); }                  \
  DEVICE_INLINE real __nv_##name##_rz(integer a) { return from_integer<Rounding::zero, real>(a); } \
  DEVICE_INLINE real __nv_##name##_ru(integer a) { return from_integer<Rounding::up, real>(a); }   \
  DEVICE_INLINE real __nv_##name##_rd(integer a) { return from_integer<Rounding::down, real>(a); }
FROM_INTEGER(int2float, float, int)
FROM_INTEGER(uint2float, float, unsigned int)
FROM_INTEGER(ll2float, float, long long)
FROM_INTEGER(ull2float, float, unsigned long long)
FROM_INTEGER(ll2double, double, long long)
FROM_INTEGER(ull2double, double, unsigned long long)
DEVICE_INLINE double __nv_int2double_rn(int a) { return a; }
DEVICE_INLINE double __nv_uint2double_rn(unsigned int a) { return a; }

DEVICE_INLINE float __nv_double2float_rn(double a) { return static_cast<float>(a); }
DEVICE_INLINE float __nv_double2float_rz(double a) { return to_float<Rounding::zero>(a); }
DEVICE_INLINE float __nv_double2float_ru(double a) { return to_float<Rounding::up>(a); }
DEVICE_INLINE float __nv_double2float_rd(double a) { return to_float<Rounding::down>(a); }

// IEEE half precision as its 16 bits.
DEVICE_FUNCTION float __nv_half2float(unsigned short half) {
  std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
  std::uint32_t exponent = half >> 10 & 0x1fu;
  std::uint32_t mantissa = half & 0x3ffu;
  if (exponent == 0) {
    float value = static_cast<float>(mantissa) * 0x1p-24F;
    return bits_as<float>(bits_as<std::uint32_t>(value) | sign);
  }
  if (exponent == 31) return bits_as<float>(sign | 0x7f800000u | mantissa << 13);
  return bits_as<float>(sign | (exponent + 112) << 23 | mantissa << 13);
}

DEVICE_FUNCTION unsigned short __nv_float2half_rn(float a) {
  std::uint32_t bits = bits_as<std::uint32_t>(a);
  std::uint32_t sign = bits >> 16 & 0x8000u;
  bits &= 0x7fffffffu;
  if (bits > 0x7f800000u) return 0x7fff;
  if (bits >= 0x477ff000u)
    return static_cast<unsigned short>(sign | 0x7c00u);  // rounds to infinity
  if (bits < 0x38800000u) {
    // Subnormal: the sum with 2^-1 rounds to a multiple of 2^-24, the mantissa in the low bits.
    float shifted = bits_as<float>(bits) + 0.5F;
    return static_cast<unsigned short>(sign | (bits_as<std::uint32_t>(shifted) - 0x3f000000u));
  }
  bits += 0xfffu + (bits >> 13 & 1u);  // nearest, ties to even
  return static_cast<unsigned short>(sign | (bits - 0x38000000u) >> 13);
}
