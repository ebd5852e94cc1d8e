// Bessel functions of both kinds, in double.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Up to 8 by polynomials around the zeros, or between them; 4 ulp. Above by Hankel's expansion,
//   J(x) = sqrt(2 / (pi x)) (P cos t - Q sin t), Y(x) = sqrt(2 / (pi x)) (P sin t + Q cos t)
// with t = x - (order / 2 + 1 / 4) pi and P and Q polynomials in (8 / x)^2; the error there is
// absolute, some 2^-54. All lanes evaluate polynomials of the same length.
#include "bessel_tables.h"

#include "../series.h"
#include "gpu.h"

using namespace gridspan::device_library;

double log(double) __asm__("log");
double sin(double) __asm__("sin");
double cos(double) __asm__("cos");

namespace {

#define HELPER static inline __attribute__((always_inline))
#define SHARED_HELPER static __attribute__((noinline))

constexpr double two_over_pi = 0x1.45f306dc9c883p-1, one_over_root_pi = 0x1.20dd750429b6dp-1;
constexpr double infinity = __builtin_inf(), undefined = __builtin_nan("");

SHARED_HELPER double in_segments(const Segment* segment, double x) {
  while (x > segment->upper) ++segment;
  const double distance = (x - segment->high) - segment->low;
  return polynomial(segment->coefficients, distance);
}

enum class Kind { first, second };

SHARED_HELPER double beyond_eight(int order, Kind kind, double x) {
  const double inverse = 8 / x;
  const double place = __builtin_fma(2 * inverse, inverse, -1.0);
  const double even = order == 0 ? polynomial(order0_even, place) : polynomial(order1_even, place);
  const double odd =
      inverse * (order == 0 ? polynomial(order0_odd, place) : polynomial(order1_odd, place));
  // sqrt(2) cos t and sqrt(2) sin t; a quarter of a turn further they are -sin and cos.
  const double sine = sin(x), cosine = cos(x);
  const double sum = sine + cosine, difference = sine - cosine;
  const double cos_t = order == 0 ? sum : difference;
  const double sin_t = order == 0 ? difference : -sum;
  const double wave = kind == Kind::first ? even * cos_t - odd * sin_t : even * sin_t + odd * cos_t;
  return x == infinity ? 0.0 : one_over_root_pi * wave / __builtin_sqrt(x);
}

HELPER double j0(double x) {
  const double a = __builtin_fabs(x);
  return a <= 8 ? in_segments(j0_segments, a) : beyond_eight(0, Kind::first, a);
}
HELPER double j1(double x) {
  const double a = __builtin_fabs(x);
  const double value = a <= 8 ? in_segments(j1_segments, a) : beyond_eight(1, Kind::first, a);
  return __builtin_signbit(x) ? -value : value;
}

// Close to 0, Y0(x) = 2 / pi ln(x) J0(x) + a power series in x^2.
HELPER double y0(double x) {
  if (!(x > 0)) return x == 0 ? -infinity : undefined;
  if (x > 8) return beyond_eight(0, Kind::second, x);
  if (x > 0.6) return in_segments(y0_segments, x);
  return __builtin_fma(two_over_pi * log(x), j0(x), polynomial(y0_regular, x * x));
}
// Y1(x) = 2 / pi (ln(x) J1(x) - 1 / x) + x times a power series in x^2.
HELPER double y1(double x) {
  if (!(x > 0)) return x == 0 ? -infinity : undefined;
  if (x > 8) return beyond_eight(1, Kind::second, x);
  if (x > 1.5) return in_segments(y1_segments, x);
  const double regular =
      __builtin_fma(two_over_pi * log(x), j1(x), x * polynomial(y1_regular, x * x));
  return regular - two_over_pi / x;
}

/// Jn(x) for n > x > 0, where the recurrence is stable downwards: from the quotient of Jn(x) and
/// the order before it, a continued fraction, to J0(x) and J1(x), which are known.
HELPER double downwards(int n, double x) {
  // Below 2^-1021 the quotients overflow, and the result is 0.
  if (x < 0x1p-600) return n == 1 ? x / 2 : 0.0;
  // As many terms as leave less than 2^-59: the denominators' growth tells.
  const double step = 2 / x;
  double quotient = n * step, before = 1, denominator = quotient;
  int terms = 0;
  while (denominator < 0x1p30) {
    quotient += step;
    const double next = quotient * denominator - before;
    before = denominator;
    denominator = next;
    ++terms;
  }
  double ratio = 0;
  for (int k = n + terms; k >= n; --k) ratio = 1 / (k * step - ratio);
  // In units in which J(n - 1) is 1.
  double wanted = ratio, higher = ratio, lower = 1;
  for (int k = n - 1; k > 0; --k) {
    const double next = k * step * lower - higher;
    higher = lower;
    lower = next;
    if (__builtin_fabs(lower) > 0x1p300) {
      wanted /= lower;
      higher /= lower;
      lower = 1;
      if (wanted == 0) return 0;
    }
  }
  const double zeroth = j0(x), first = j1(x);
  return __builtin_fabs(zeroth) >= __builtin_fabs(first) ? wanted * (zeroth / lower)
                                                         : wanted * (first / higher);
}

/// From orders 0 and 1 to n: f(k + 1) = 2 k / x f(k) - f(k - 1).
HELPER double upwards(int n, double x, double zeroth, double first) {
  const double step = 2 / x;
  for (int k = 1; k < n; ++k) {
    const double next = __builtin_fma(k * step, first, -zeroth);
    zeroth = first;
    first = next;
    if (first == -infinity) break;
  }
  return first;
}

}  // namespace

DEVICE_FUNCTION double __nv_j0(double x) { return j0(x); }
DEVICE_FUNCTION double __nv_j1(double x) { return j1(x); }
DEVICE_FUNCTION double __nv_y0(double x) { return y0(x); }
DEVICE_FUNCTION double __nv_y1(double x) { return y1(x); }
DEVICE_FUNCTION double __nv_jn(int n, double x) {
  if (n < 0) return undefined;
  if (n == 0) return j0(x);
  if (n == 1) return j1(x);
  const double a = __builtin_fabs(x);
  if (__builtin_isnan(x)) return x;
  if (a == 0 || a == infinity) return 0;
  const double value = n < a ? upwards(n, a, j0(a), j1(a)) : downwards(n, a);
  return (n & 1) != 0 && __builtin_signbit(x) ? -value : value;
}
DEVICE_FUNCTION double __nv_yn(int n, double x) {
  if (n < 0) return undefined;
  if (n == 0) return y0(x);
  if (n == 1) return y1(x);
  if (!(x > 0)) return x == 0 ? -infinity : undefined;
  if (x == infinity) return 0;
  return upwards(n, x, y0(x), y1(x));
}

DEVICE_FUNCTION float __nv_jnf(int n, float x) {
  return static_cast<float>(__nv_jn(n, static_cast<double>(x)));
}
DEVICE_FUNCTION float __nv_ynf(int n, float x) {
  return static_cast<float>(__nv_yn(n, static_cast<double>(x)));
}
