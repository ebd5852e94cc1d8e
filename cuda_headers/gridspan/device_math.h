// The CUDA math library on the device: C99 functions, CUDA's own, and their C++ overloads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang's resource headers map the C names to libdevice (__nv_sinf, …) and give sin(float) and
// friends; what they leave to the vendor's headers follows here.
#pragma once

#include <__clang_cuda_libdevice_declares.h>

#include "device_conversion.h"
#include "device_integer.h"
#include "device_macros.h"

// Classification, by the names clang's <cmath> overloads call.
GRIDSPAN_DEVICE int __isinff(float x) { return __builtin_isinf(x); }
GRIDSPAN_DEVICE int __isinf(double x) { return __builtin_isinf(x); }
GRIDSPAN_DEVICE int __isnanf(float x) { return __builtin_isnan(x); }
GRIDSPAN_DEVICE int __isnan(double x) { return __builtin_isnan(x); }
GRIDSPAN_DEVICE int __finitef(float x) { return __builtin_isfinite(x); }
GRIDSPAN_DEVICE int __finite(double x) { return __builtin_isfinite(x); }
GRIDSPAN_DEVICE int __isfinited(double x) { return __builtin_isfinite(x); }
GRIDSPAN_DEVICE int __signbitf(float x) { return __builtin_signbitf(x); }
GRIDSPAN_DEVICE int __signbitd(double x) { return __builtin_signbit(x); }
GRIDSPAN_DEVICE int __signbit(double x) { return __builtin_signbit(x); }

// Integer functions are plain arithmetic in ours (device_integer.h), not calls.
#pragma push_macro("min")
#pragma push_macro("max")
#define min __gridspan_unused_min
#define max __gridspan_unused_max
#define abs __gridspan_unused_abs
#define labs __gridspan_unused_labs
#define llabs __gridspan_unused_llabs
#define umin __gridspan_unused_umin
#define umax __gridspan_unused_umax
#define llmin __gridspan_unused_llmin
#define llmax __gridspan_unused_llmax
#define ullmin __gridspan_unused_ullmin
#define ullmax __gridspan_unused_ullmax
#include <__clang_cuda_math.h>
#undef abs
#undef labs
#undef llabs
#undef umin
#undef umax
#undef llmin
#undef llmax
#undef ullmin
#undef ullmax
#pragma pop_macro("min")
#pragma pop_macro("max")

GRIDSPAN_DEVICE double nan(const char* tag) { return __nv_nan((const signed char*)tag); }
GRIDSPAN_DEVICE float nanf(const char* tag) { return __nv_nanf((const signed char*)tag); }

// Overloads for float that clang's <cmath> declares but leaves to us.
#define GRIDSPAN_FLOAT1(name) \
  GRIDSPAN_DEVICE float name(float x) { return ::name##f(x); }
#define GRIDSPAN_FLOAT2(name) \
  GRIDSPAN_DEVICE float name(float x, float y) { return ::name##f(x, y); }
#define GRIDSPAN_FLOAT_TO(result, name) \
  GRIDSPAN_DEVICE result name(float x) { return ::name##f(x); }
GRIDSPAN_FLOAT1(acosh)
GRIDSPAN_FLOAT1(asinh)
GRIDSPAN_FLOAT1(atanh)
GRIDSPAN_FLOAT1(cbrt)
GRIDSPAN_FLOAT2(copysign)
GRIDSPAN_FLOAT1(erf)
GRIDSPAN_FLOAT1(erfc)
GRIDSPAN_FLOAT1(exp2)
GRIDSPAN_FLOAT1(expm1)
GRIDSPAN_FLOAT2(fdim)
GRIDSPAN_FLOAT2(fmax)
GRIDSPAN_FLOAT2(fmin)
GRIDSPAN_FLOAT2(hypot)
GRIDSPAN_FLOAT_TO(int, ilogb)
GRIDSPAN_FLOAT1(lgamma)
GRIDSPAN_FLOAT_TO(long long, llrint)
GRIDSPAN_FLOAT_TO(long long, llround)
GRIDSPAN_FLOAT1(log1p)
GRIDSPAN_FLOAT1(log2)
GRIDSPAN_FLOAT1(logb)
GRIDSPAN_FLOAT_TO(long, lrint)
GRIDSPAN_FLOAT_TO(long, lround)
GRIDSPAN_FLOAT1(nearbyint)
GRIDSPAN_FLOAT2(nextafter)
GRIDSPAN_FLOAT2(remainder)
GRIDSPAN_FLOAT1(rint)
GRIDSPAN_FLOAT1(round)
GRIDSPAN_FLOAT1(tgamma)
GRIDSPAN_FLOAT1(trunc)
GRIDSPAN_DEVICE float fma(float x, float y, float z) { return ::fmaf(x, y, z); }
GRIDSPAN_DEVICE float remquo(float x, float y, int* quotient) { return ::remquof(x, y, quotient); }
GRIDSPAN_DEVICE float scalbn(float x, int exponent) { return ::scalbnf(x, exponent); }
GRIDSPAN_DEVICE float scalbln(float x, long exponent) { return ::scalblnf(x, exponent); }

// CUDA's own functions for float under the name of the double.
GRIDSPAN_FLOAT1(cospi)
GRIDSPAN_FLOAT1(cyl_bessel_i0)
GRIDSPAN_FLOAT1(cyl_bessel_i1)
GRIDSPAN_FLOAT1(erfcinv)
GRIDSPAN_FLOAT1(erfcx)
GRIDSPAN_FLOAT1(erfinv)
GRIDSPAN_FLOAT1(exp10)
GRIDSPAN_FLOAT1(j0)
GRIDSPAN_FLOAT1(j1)
GRIDSPAN_FLOAT1(normcdf)
GRIDSPAN_FLOAT1(normcdfinv)
GRIDSPAN_FLOAT1(rcbrt)
GRIDSPAN_FLOAT2(rhypot)
GRIDSPAN_FLOAT1(rsqrt)
GRIDSPAN_FLOAT1(sinpi)
GRIDSPAN_FLOAT1(y0)
GRIDSPAN_FLOAT1(y1)
GRIDSPAN_DEVICE float jn(int n, float x) { return ::jnf(n, x); }
GRIDSPAN_DEVICE float yn(int n, float x) { return ::ynf(n, x); }
GRIDSPAN_DEVICE float fdivide(float x, float y) { return ::fdividef(x, y); }
GRIDSPAN_DEVICE void sincos(float x, float* sine, float* cosine) { ::sincosf(x, sine, cosine); }
GRIDSPAN_DEVICE void sincospi(float x, float* sine, float* cosine) { ::sincospif(x, sine, cosine); }
GRIDSPAN_DEVICE double copysign(float x, double y) { return ::copysign((double)x, y); }
GRIDSPAN_DEVICE double copysign(double x, float y) { return ::copysign(x, (double)y); }
#undef GRIDSPAN_FLOAT1
#undef GRIDSPAN_FLOAT2
#undef GRIDSPAN_FLOAT_TO

#include <__clang_cuda_cmath.h>

// min and max of floating-point numbers ignore a NaN, as fmin and fmax do.
#define GRIDSPAN_FLOAT_MIN_MAX(result, a_type, b_type, low, high)                           \
  GRIDSPAN_HOST_DEVICE result min(a_type a, b_type b) { return low((result)a, (result)b); } \
  GRIDSPAN_HOST_DEVICE result max(a_type a, b_type b) { return high((result)a, (result)b); }
GRIDSPAN_FLOAT_MIN_MAX(float, float, float, ::fminf, ::fmaxf)
GRIDSPAN_FLOAT_MIN_MAX(double, double, double, ::fmin, ::fmax)
GRIDSPAN_FLOAT_MIN_MAX(double, float, double, ::fmin, ::fmax)
GRIDSPAN_FLOAT_MIN_MAX(double, double, float, ::fmin, ::fmax)
#undef GRIDSPAN_FLOAT_MIN_MAX

// What products and quotients of std::complex call; uses max above.
#include <__clang_cuda_complex_builtins.h>
