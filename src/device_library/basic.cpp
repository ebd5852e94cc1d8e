// Functions with exact or correctly rounded results: roots, rounding, sign, classification.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_library.h"

#include <climits>
#include <cmath>

using namespace gridspan::device_library;

#define BOTH(function, builtin)                                         \
  DEVICE_INLINE double __nv_##function(double a) { return builtin(a); } \
  DEVICE_INLINE float __nv_##function##f(float a) { return builtin##f(a); }
#define BOTH2(function, builtin)                                                     \
  DEVICE_INLINE double __nv_##function(double a, double b) { return builtin(a, b); } \
  DEVICE_INLINE float __nv_##function##f(float a, float b) { return builtin##f(a, b); }

BOTH(fabs, __builtin_fabs)
BOTH(floor, __builtin_floor)
BOTH(ceil, __builtin_ceil)
BOTH(trunc, __builtin_trunc)
BOTH(round, __builtin_round)
BOTH(rint, __builtin_rint)
BOTH(nearbyint, __builtin_nearbyint)
BOTH(sqrt, __builtin_sqrt)
BOTH2(copysign, __builtin_copysign)
BOTH2(fmin, __builtin_fmin)
BOTH2(fmax, __builtin_fmax)
BOTH2(fmod, __builtin_fmod)
BOTH2(remainder, __builtin_remainder)
BOTH2(nextafter, __builtin_nextafter)

DEVICE_INLINE double __nv_fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
DEVICE_INLINE float __nv_fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }

// 1 ulp: two correctly rounded steps.
DEVICE_INLINE double __nv_rsqrt(double a) { return 1.0 / __builtin_sqrt(a); }
// 2 ulp are allowed (transforms/reciprocal_roots.h).
DEVICE_INLINE float __nv_rsqrtf(float a) {
#pragma clang fp reciprocal(on)
  return 1.0F / __builtin_sqrtf(a);
}

DEVICE_INLINE double __nv_fdim(double a, double b) {
  return a > b || is_nan(a) || is_nan(b) ? a - b : 0.0;
}
DEVICE_INLINE float __nv_fdimf(float a, float b) {
  return a > b || is_nan(a) || is_nan(b) ? a - b : 0.0F;
}
// NaN becomes 0.
DEVICE_INLINE float __nv_saturatef(float a) { return a > 0.0F ? (a < 1.0F ? a : 1.0F) : 0.0F; }

DEVICE_INLINE double __nv_remquo(double a, double b, int* c) { return __builtin_remquo(a, b, c); }
DEVICE_INLINE float __nv_remquof(float a, float b, int* c) { return __builtin_remquof(a, b, c); }
DEVICE_INLINE double __nv_frexp(double a, int* b) { return __builtin_frexp(a, b); }
DEVICE_INLINE float __nv_frexpf(float a, int* b) { return __builtin_frexpf(a, b); }
DEVICE_INLINE double __nv_ldexp(double a, int b) { return __builtin_ldexp(a, b); }
DEVICE_INLINE float __nv_ldexpf(float a, int b) { return __builtin_ldexpf(a, b); }
DEVICE_INLINE double __nv_scalbn(double a, int b) { return __builtin_ldexp(a, b); }
DEVICE_INLINE float __nv_scalbnf(float a, int b) { return __builtin_ldexpf(a, b); }
DEVICE_INLINE double __nv_logb(double a) { return __builtin_logb(a); }
DEVICE_INLINE float __nv_logbf(float a) { return __builtin_logbf(a); }

DEVICE_INLINE double __nv_modf(double a, double* whole) {
  double truncated = __builtin_trunc(a);
  *whole = truncated;
  return __builtin_copysign(__builtin_isinf(a) ? 0.0 : a - truncated, a);
}
DEVICE_INLINE float __nv_modff(float a, float* whole) {
  float truncated = __builtin_truncf(a);
  *whole = truncated;
  return __builtin_copysignf(__builtin_isinf(a) ? 0.0F : a - truncated, a);
}

// CUDA's results for 0, NaN (INT_MIN) and infinity (INT_MAX), which C leaves to the platform.
DEVICE_FUNCTION int __nv_ilogb(double a) {
  if (a == 0 || is_nan(a)) return INT_MIN;
  if (!is_finite(a)) return INT_MAX;
  auto bits = bits_as<std::uint64_t>(a) & 0x7fffffffffffffffu;
  int exponent = static_cast<int>(bits >> 52);
  return exponent ? exponent - 1023 : -1011 - __builtin_clzll(bits);
}
DEVICE_FUNCTION int __nv_ilogbf(float a) {
  if (a == 0 || is_nan(a)) return INT_MIN;
  if (!is_finite(a)) return INT_MAX;
  auto bits = bits_as<std::uint32_t>(a) & 0x7fffffffu;
  int exponent = static_cast<int>(bits >> 23);
  return exponent ? exponent - 127 : -118 - __builtin_clz(bits);
}

DEVICE_INLINE int __nv_isinfd(double a) { return __builtin_isinf(a); }
DEVICE_INLINE int __nv_isinff(float a) { return __builtin_isinf(a); }
DEVICE_INLINE int __nv_isnand(double a) { return __builtin_isnan(a); }
DEVICE_INLINE int __nv_isnanf(float a) { return __builtin_isnan(a); }
DEVICE_INLINE int __nv_isfinited(double a) { return __builtin_isfinite(a); }
DEVICE_INLINE int __nv_finitef(float a) { return __builtin_isfinite(a); }
DEVICE_INLINE int __nv_signbitd(double a) { return bits_as<std::int64_t>(a) < 0; }
DEVICE_INLINE int __nv_signbitf(float a) { return bits_as<std::int32_t>(a) < 0; }

DEVICE_INLINE double __nv_nan(const signed char*) { return __builtin_nan(""); }
DEVICE_INLINE float __nv_nanf(const signed char*) { return __builtin_nanf(""); }
