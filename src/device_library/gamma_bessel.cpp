// Gamma and Bessel functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bessel_zeros.h"
#include "device_library.h"

#include <cmath>

// Modified Bessel functions, computed in long double by libgridspan (host/modified_bessel.cpp).
extern "C" __attribute__((const)) double gridspan_math_cyl_bessel_i0(double x) noexcept;
extern "C" __attribute__((const)) double gridspan_math_cyl_bessel_i1(double x) noexcept;
// Said again so that calls are known to touch no memory.
extern "C" __attribute__((const)) double j0(double x) noexcept;
extern "C" __attribute__((const)) double j1(double x) noexcept;
extern "C" __attribute__((const)) double y0(double x) noexcept;
extern "C" __attribute__((const)) double y1(double x) noexcept;
extern "C" __attribute__((const)) double jn(int n, double x) noexcept;
extern "C" __attribute__((const)) double yn(int n, double x) noexcept;

using namespace gridspan::device_library;

namespace {

/// glibc's functions lose all relative precision near their zeros; there the Taylor series holds.
template <int Count>
HELPER double near_zeros(const BesselZero (&zeros)[Count], double x, double elsewhere) {
  for (const BesselZero& zero : zeros) {
    double distance = (x - zero.high) - zero.low;
    if (__builtin_fabs(distance) < zero.radius) {
      double series = 0;
      for (int k = 19; k >= 0; --k) series = series * distance + zero.coefficients[k];
      return series * distance;
    }
  }
  return elsewhere;
}

}  // namespace

DEVICE_FUNCTION double __nv_j0(double x) {
  double magnitude = __builtin_fabs(x);
  return near_zeros(j0_zeros, magnitude, ::j0(magnitude));
}
DEVICE_FUNCTION double __nv_j1(double x) {
  double magnitude = __builtin_fabs(x);
  double value = near_zeros(j1_zeros, magnitude, ::j1(magnitude));
  return __builtin_signbit(x) ? -value : value;
}
DEVICE_FUNCTION double __nv_y0(double x) { return near_zeros(y0_zeros, x, ::y0(x)); }
DEVICE_FUNCTION double __nv_y1(double x) { return near_zeros(y1_zeros, x, ::y1(x)); }
DEVICE_INLINE double __nv_jn(int n, double x) { return n < 0 ? __builtin_nan("") : ::jn(n, x); }
DEVICE_INLINE double __nv_yn(int n, double x) { return n < 0 ? __builtin_nan("") : ::yn(n, x); }
DEVICE_INLINE double __nv_cyl_bessel_i0(double x) { return gridspan_math_cyl_bessel_i0(x); }
DEVICE_INLINE double __nv_cyl_bessel_i1(double x) { return gridspan_math_cyl_bessel_i1(x); }

// Not lgamma: it stores the sign in a variable that all threads share.
DEVICE_INLINE double __nv_lgamma(double x) {
  int sign;
  return ::lgamma_r(x, &sign);
}
DEVICE_INLINE double __nv_tgamma(double x) { return __builtin_tgamma(x); }

#define ROUNDED(name) \
  DEVICE_INLINE float __nv_##name##f(float x) { return static_cast<float>(__nv_##name(x)); }
ROUNDED(j0)
ROUNDED(j1)
ROUNDED(y0)
ROUNDED(y1)
ROUNDED(cyl_bessel_i0)
ROUNDED(cyl_bessel_i1)
ROUNDED(lgamma)
ROUNDED(tgamma)
DEVICE_INLINE float __nv_jnf(int n, float x) { return static_cast<float>(__nv_jn(n, x)); }
DEVICE_INLINE float __nv_ynf(int n, float x) { return static_cast<float>(__nv_yn(n, x)); }
#undef ROUNDED
