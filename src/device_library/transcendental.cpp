// Elementary transcendental functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most are the C library's, whose results stay within CUDA's bounds (measured against long double
// by tests/unit/device_library). The others, tanh, exp10, log10 and cbrt of double, are written
// here because glibc 2.36 is off by 2 or 3 ulp where CUDA allows 1.
#include "device_library.h"
#include "series.h"

#include <cmath>

using namespace gridspan::device_library;

#define DOUBLE1(name) \
  DEVICE_INLINE double __nv_##name(double a) { return __builtin_##name(a); }
#define FLOAT1(name) \
  DEVICE_INLINE float __nv_##name##f(float a) { return __builtin_##name##f(a); }
#define BOTH1(name) DOUBLE1(name) FLOAT1(name)
#define BOTH2(name)                                                                       \
  DEVICE_INLINE double __nv_##name(double a, double b) { return __builtin_##name(a, b); } \
  DEVICE_INLINE float __nv_##name##f(float a, float b) { return __builtin_##name##f(a, b); }

BOTH1(sin)
BOTH1(cos)
BOTH1(tan)
BOTH1(asin)
BOTH1(acos)
BOTH1(atan)
BOTH2(atan2)
BOTH1(sinh)
BOTH1(cosh)
FLOAT1(tanh)
BOTH1(asinh)
BOTH1(acosh)
BOTH1(atanh)
BOTH1(exp)
BOTH1(exp2)
FLOAT1(exp10)
BOTH1(expm1)
BOTH1(log)
BOTH1(log2)
FLOAT1(log10)
BOTH1(log1p)
FLOAT1(cbrt)
BOTH2(pow)

DEVICE_INLINE void __nv_sincos(double a, double* sine, double* cosine) {
  *sine = __builtin_sin(a);
  *cosine = __builtin_cos(a);
}
DEVICE_INLINE void __nv_sincosf(float a, float* sine, float* cosine) {
  *sine = __builtin_sinf(a);
  *cosine = __builtin_cosf(a);
}

// em / (em + 2) with em = exp(2|x|) - 1: quotient and remainder, so that only expm1's error counts.
DEVICE_FUNCTION double __nv_tanh(double x) {
  double magnitude = __builtin_fabs(x);
  if (magnitude > 20) return __builtin_copysign(1.0, x);
  double em = __builtin_expm1(2 * magnitude);
  double sum = em + 2;
  double sum_low = em > 2 ? 2 - (sum - em) : em - (sum - 2);
  double quotient = em / sum;
  double remainder = __builtin_fma(-quotient, sum, em) - quotient * sum_low;
  double result = quotient + remainder / sum;
  return magnitude == 0 ? x : __builtin_copysign(result, x);
}

// 10^x = 2^k * e^r, |r| <= ln(2) / 2, with the rounding errors of r carried along.
DEVICE_FUNCTION double __nv_exp10(double x) {
  constexpr double log2_10 = 0x1.a934f0979a371p+1;
  constexpr double log10_2_high = 0x1.34413509f4p-2, log10_2_low = 0x1.cff7988f8959bp-41;
  constexpr double ln10_high = 0x1.26bb1bbb55516p+1, ln10_low = -0x1.f48ad494ea3e9p-53;
  if (!(x < 310)) return x > 0 ? __builtin_inf() : x;
  if (x < -330) return 0;
  double k = __builtin_rint(x * log2_10);
  double t = __builtin_fma(-k, log10_2_high, x);  // exact: k has 11 bits, the constant 40
  double t_low = -k * log10_2_low;
  double product = t * ln10_high;
  auto [r, r_low] =
      two_sum(product, __builtin_fma(t, ln10_high, -product) + t * ln10_low + t_low * ln10_high);
  const double series = polynomial(exponential_tail, r);
  double tail = __builtin_fma(r * r, series, r_low * (1 + r));
  double high = 1 + r;
  double low = (r - (high - 1)) + tail;
  return __builtin_ldexp(high + low, static_cast<int>(k));
}

// x = 2^k * m, m in [sqrt(1/2), sqrt(2)): k * log10(2) + ln(m) * log10(e), both to twice the
// precision. Powers of ten come out exactly.
DEVICE_FUNCTION double __nv_log10(double x) {
  constexpr double log10_2_high = 0x1.34413509f4p-2, log10_2_low = 0x1.cff7988f8959bp-41;
  constexpr double log10_e_high = 0x1.bcb7b1526e50ep-2, log10_e_low = 0x1.95355baaafad3p-57;
  if (!(x > 0) || !is_finite(x)) return __builtin_log(x);
  int k = 0;
  if (x < 0x1p-1022) {
    x *= 0x1p54;
    k = -54;
  }
  auto bits = bits_as<std::uint64_t>(x);
  // Adding the distance from sqrt(1/2) to 1 makes the exponent field change at sqrt(1/2).
  std::uint64_t shifted = bits + (0x3ff0000000000000u - 0x3fe6a09e667f3bcdu);
  k += static_cast<int>(shifted >> 52) - 1023;
  double m = bits_as<double>((shifted & 0xfffffffffffffu) + 0x3fe6a09e667f3bcdu);
  double logarithm = __builtin_log(m);
  double high = logarithm * log10_e_high;
  double low = __builtin_fma(logarithm, log10_e_high, -high) + logarithm * log10_e_low;
  double whole = k * log10_2_high;  // exact
  double sum = whole + high;
  double sum_low = k == 0 ? 0.0 : high - (sum - whole);
  return sum + (sum_low + (low + k * log10_2_low));
}

// One Newton step from the C library's result with the exact residual.
DEVICE_FUNCTION double __nv_cbrt(double x) {
  if (x == 0 || !is_finite(x)) return x;
  double back = 1;
  if (__builtin_fabs(x) > 0x1p900) {
    x *= 0x1p-300;
    back = 0x1p100;
  } else if (__builtin_fabs(x) < 0x1p-700) {
    x *= 0x1p600;
    back = 0x1p-200;
  }
  double root = __builtin_cbrt(x);
  double square = root * root;
  double square_low = __builtin_fma(root, root, -square);
  double cube = square * root;
  double cube_low = __builtin_fma(square, root, -cube) + square_low * root;
  double residual = (cube - x) + cube_low;
  return (root - residual / (3 * square)) * back;
}
DEVICE_FUNCTION double __nv_rcbrt(double x) { return 1.0 / __nv_cbrt(x); }
DEVICE_INLINE float __nv_rcbrtf(float x) {
  return static_cast<float>(1.0 / __builtin_cbrt(static_cast<double>(x)));
}

// Repeated squaring, as the device does it. A constant exponent unrolls to plain products.
DEVICE_INLINE double __nv_powi(double x, int exponent) {
  unsigned bits =
      exponent < 0 ? 0u - static_cast<unsigned>(exponent) : static_cast<unsigned>(exponent);
  double result = bits & 1u ? x : 1.0;
  while (bits >>= 1) {
    x *= x;
    if (bits & 1u) result *= x;
  }
  return exponent < 0 ? 1.0 / result : result;
}
DEVICE_INLINE float __nv_powif(float x, int exponent) {
  unsigned bits =
      exponent < 0 ? 0u - static_cast<unsigned>(exponent) : static_cast<unsigned>(exponent);
  float result = bits & 1u ? x : 1.0F;
  while (bits >>= 1) {
    x *= x;
    if (bits & 1u) result *= x;
  }
  return exponent < 0 ? 1.0F / result : result;
}

// The fast approximations are as exact as the functions they approximate.
#define FAST1(name) \
  DEVICE_INLINE float __nv_fast_##name(float a) { return __nv_##name(a); }
FAST1(sinf)
FAST1(cosf)
FAST1(tanf)
FAST1(expf)
FAST1(exp10f)
FAST1(logf)
FAST1(log2f)
FAST1(log10f)
DEVICE_INLINE float __nv_fast_powf(float a, float b) { return __nv_powf(a, b); }
DEVICE_INLINE float __nv_fast_fdividef(float a, float b) { return a / b; }
DEVICE_INLINE void __nv_fast_sincosf(float a, float* sine, float* cosine) {
  __nv_sincosf(a, sine, cosine);
}
#undef DOUBLE1
#undef FLOAT1
#undef BOTH1
#undef BOTH2
#undef FAST1
