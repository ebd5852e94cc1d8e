// sinpi, cospi, sincospi: arguments in half turns reduce exactly.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// x = 2j + n/2 + f with |f| <= 1/4, all exact; then the series of sin and cos of pi f. The series
// are branch-free, so loops over these functions vectorise without a vector library.
#include "device_library.h"

using namespace gridspan::device_library;

namespace {

struct Turn {
  double fraction;  // in [-1/4, 1/4]
  int quarters;     // in [-2, 2]
};
HELPER Turn reduce(double x) {
  double half = __builtin_rint(x * 0.5);
  double rest = x - 2 * half;  // in [-1, 1]; NaN for infinity
  double quarters = __builtin_rint(2 * rest);
  return {rest - 0.5 * quarters, static_cast<int>(quarters)};
}

/// sin(pi f), cos(pi f): terms up to `Terms` of the series, enough for double (8) or float (6).
template <int Terms>
HELPER double sine(double f) {
  constexpr double pi_high = 0x1.921fb54442d18p+1, pi_low = 0x1.1a62633145c07p-53;
  constexpr double terms[] = {-0x1.4abbce625be53p+2,  0x1.466bc6775aae2p+1,  -0x1.32d2cce62bd86p-1,
                              0x1.50783487ee782p-4,   -0x1.e3074fde8871fp-8, 0x1.e8f434d018d63p-12,
                              -0x1.6fadb9f155744p-16, 0x1.aaec32af93359p-21};
  double square = f * f, series = 0;
#pragma unroll
  for (int i = Terms - 1; i >= 0; --i) series = __builtin_fma(series, square, terms[i]);
  return __builtin_fma(f, pi_high, f * __builtin_fma(series, square, pi_low));
}
template <int Terms>
HELPER double cosine(double f) {
  constexpr double terms[] = {-0x1.3bd3cc9be45dep+2,  0x1.03c1f081b5ac4p+2,  -0x1.55d3c7e3cbffap+0,
                              0x1.e1f506891babbp-3,   -0x1.a6d1f2a204a8cp-6, 0x1.f9d38a3763cc3p-10,
                              -0x1.b6e24f44b128fp-14, 0x1.20c62c2f2d7f5p-18};
  double square = f * f, series = 0;
#pragma unroll
  for (int i = Terms - 1; i >= 0; --i) series = __builtin_fma(series, square, terms[i]);
  return __builtin_fma(series, square, 1.0);
}

template <int Terms>
HELPER double sine_of_pi(double x) {
  Turn turn = reduce(x);
  double odd = cosine<Terms>(turn.fraction), even = sine<Terms>(turn.fraction);
  double result = turn.quarters & 1 ? odd : even;
  if (turn.quarters & 2) result = -result;
  return result == 0 ? __builtin_copysign(0.0, x) : result;
}
template <int Terms>
HELPER double cosine_of_pi(double x) {
  Turn turn = reduce(x);
  double even = cosine<Terms>(turn.fraction), odd = sine<Terms>(turn.fraction);
  double result = turn.quarters & 1 ? odd : even;
  if ((turn.quarters + 1) & 2) result = -result;
  return result == 0 ? 0.0 : result;
}

}  // namespace

DEVICE_FUNCTION double __nv_sinpi(double x) { return sine_of_pi<8>(x); }
DEVICE_FUNCTION double __nv_cospi(double x) { return cosine_of_pi<8>(x); }
DEVICE_FUNCTION float __nv_sinpif(float x) { return static_cast<float>(sine_of_pi<6>(x)); }
DEVICE_FUNCTION float __nv_cospif(float x) { return static_cast<float>(cosine_of_pi<6>(x)); }
DEVICE_FUNCTION void __nv_sincospi(double x, double* s, double* c) {
  *s = sine_of_pi<8>(x);
  *c = cosine_of_pi<8>(x);
}
DEVICE_FUNCTION void __nv_sincospif(float x, float* s, float* c) {
  *s = static_cast<float>(sine_of_pi<6>(x));
  *c = static_cast<float>(cosine_of_pi<6>(x));
}
