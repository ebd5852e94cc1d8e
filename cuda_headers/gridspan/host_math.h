// CUDA's own math functions on the host (rsqrt, sinpi, normcdf, …), as CUDA declares them there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is more than a line is defined in libgridspan, from the same sources as on the device.
#pragma once

#include <math.h>

#include "device_macros.h"

extern "C" {
#define GRIDSPAN_LIBRARY1(name)       \
  double __gridspan_##name(double x); \
  float __gridspan_##name##f(float x);
#define GRIDSPAN_LIBRARY2(name)                 \
  double __gridspan_##name(double x, double y); \
  float __gridspan_##name##f(float x, float y);
GRIDSPAN_LIBRARY1(cyl_bessel_i0)
GRIDSPAN_LIBRARY1(cyl_bessel_i1)
GRIDSPAN_LIBRARY1(erfcinv)
GRIDSPAN_LIBRARY1(erfcx)
GRIDSPAN_LIBRARY1(erfinv)
GRIDSPAN_LIBRARY1(normcdf)
GRIDSPAN_LIBRARY1(normcdfinv)
GRIDSPAN_LIBRARY1(rcbrt)
GRIDSPAN_LIBRARY1(sinpi)
GRIDSPAN_LIBRARY1(cospi)
GRIDSPAN_LIBRARY2(rhypot)
double __gridspan_norm(int count, const double* values);
float __gridspan_normf(int count, const float* values);
#undef GRIDSPAN_LIBRARY1
#undef GRIDSPAN_LIBRARY2
}

#define GRIDSPAN_HOST1(name)                                            \
  GRIDSPAN_HOST double name(double x) { return __gridspan_##name(x); }  \
  GRIDSPAN_HOST float name(float x) { return __gridspan_##name##f(x); } \
  GRIDSPAN_HOST float name##f(float x) { return __gridspan_##name##f(x); }
GRIDSPAN_HOST1(cyl_bessel_i0)
GRIDSPAN_HOST1(cyl_bessel_i1)
GRIDSPAN_HOST1(erfcinv)
GRIDSPAN_HOST1(erfcx)
GRIDSPAN_HOST1(erfinv)
GRIDSPAN_HOST1(normcdf)
GRIDSPAN_HOST1(normcdfinv)
GRIDSPAN_HOST1(rcbrt)
GRIDSPAN_HOST1(sinpi)
GRIDSPAN_HOST1(cospi)
#undef GRIDSPAN_HOST1

GRIDSPAN_HOST double rsqrt(double x) { return 1.0 / ::sqrt(x); }
GRIDSPAN_HOST float rsqrtf(float x) { return (float)(1.0 / ::sqrt((double)x)); }
GRIDSPAN_HOST float rsqrt(float x) { return ::rsqrtf(x); }
GRIDSPAN_HOST float exp10(float x) { return ::exp10f(x); }
GRIDSPAN_HOST double rhypot(double x, double y) { return __gridspan_rhypot(x, y); }
GRIDSPAN_HOST float rhypotf(float x, float y) { return __gridspan_rhypotf(x, y); }
GRIDSPAN_HOST float rhypot(float x, float y) { return __gridspan_rhypotf(x, y); }
GRIDSPAN_HOST void sincospi(double x, double* sine, double* cosine) {
  *sine = ::sinpi(x);
  *cosine = ::cospi(x);
}
GRIDSPAN_HOST void sincospif(float x, float* sine, float* cosine) {
  *sine = ::sinpif(x);
  *cosine = ::cospif(x);
}
GRIDSPAN_HOST void sincospi(float x, float* sine, float* cosine) { ::sincospif(x, sine, cosine); }
GRIDSPAN_HOST void sincos(float x, float* sine, float* cosine) { ::sincosf(x, sine, cosine); }
GRIDSPAN_HOST double fdivide(double x, double y) { return x / y; }
GRIDSPAN_HOST float fdividef(float x, float y) { return x / y; }
GRIDSPAN_HOST float fdivide(float x, float y) { return x / y; }

GRIDSPAN_HOST double norm(int count, const double* values) {
  return __gridspan_norm(count, values);
}
GRIDSPAN_HOST float normf(int count, const float* values) {
  return __gridspan_normf(count, values);
}
GRIDSPAN_HOST double norm3d(double a, double b, double c) {
  double values[] = {a, b, c};
  return __gridspan_norm(3, values);
}
GRIDSPAN_HOST float norm3df(float a, float b, float c) {
  float values[] = {a, b, c};
  return __gridspan_normf(3, values);
}
GRIDSPAN_HOST double norm4d(double a, double b, double c, double d) {
  double values[] = {a, b, c, d};
  return __gridspan_norm(4, values);
}
GRIDSPAN_HOST float norm4df(float a, float b, float c, float d) {
  float values[] = {a, b, c, d};
  return __gridspan_normf(4, values);
}
GRIDSPAN_HOST double rnorm(int count, const double* values) {
  return 1.0 / __gridspan_norm(count, values);
}
GRIDSPAN_HOST float rnormf(int count, const float* values) {
  return 1.0f / __gridspan_normf(count, values);
}
GRIDSPAN_HOST double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
GRIDSPAN_HOST float rnorm3df(float a, float b, float c) { return 1.0f / norm3df(a, b, c); }
GRIDSPAN_HOST double rnorm4d(double a, double b, double c, double d) {
  return 1.0 / norm4d(a, b, c, d);
}
GRIDSPAN_HOST float rnorm4df(float a, float b, float c, float d) {
  return 1.0f / norm4df(a, b, c, d);
}
