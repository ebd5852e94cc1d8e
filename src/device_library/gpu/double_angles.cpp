// asin, acos, atan and atan2 of double. 2 ulp.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../series.h"
#include "double_words.h"
#include "gpu.h"

using namespace gridspan::device_library;

namespace {

#define HELPER static inline __attribute__((always_inline))

constexpr double half_pi = 0x1.921fb54442d18p+0, half_pi_low = 0x1.1a62633145c07p-54;

/// asin(x), given x^2 <= 1/4.
HELPER double near_arcsine(double x, double square) {
  // (asin(x) / x - 1) / x^2 in x^2: Sollya's fpminimax, off by 2^-58.
  constexpr double series[] = {0x1.dc181a1e43fdap-6, -0x1.f58c4e797bf33p-7, 0x1.22053f1b0db7dp-6,
                               0x1.5e2919d3753a9p-8, 0x1.532a90dc073eep-7,  0x1.7801022f1be58p-7,
                               0x1.c9d30ac27c391p-7, 0x1.1c4d112cf67d3p-6,  0x1.6e8bb3752168fp-6,
                               0x1.f1c71c11deeadp-6, 0x1.6db6db6e48603p-5,  0x1.3333333332da2p-4,
                               0x1.5555555555556p-3};
  return __builtin_fma(x * square, polynomial(series, square), x);
}

/// Above 1/2, acos(a) = 2 asin(sqrt((1 - a) / 2)).
struct Reduced {
  bool is_far;
  double arcsine;  // of a, or half of acos(a)
};
HELPER Reduced reduce(double a) {
  const bool is_far = a > 0.5;
  const double far_square = __builtin_fma(a, -0.5, 0.5);
  const double inverse = rough_inverse_root(far_square);
  const double rough = far_square * inverse;
  const double missing = __builtin_fma(-rough, inverse, 1.0);
  const double better = __builtin_fma(rough * missing, __builtin_fma(missing, 0.375, 0.5), rough);
  const double root = far_square == 0 ? 0 : better;
  return {is_far, near_arcsine(is_far ? root : a, is_far ? far_square : a * a)};
}

/// atan(t) for 0 <= t <= 1.
HELPER double near_arctangent(double t) {
  // (atan(t) / t - 1) / t^2 in t^2: Sollya's fpminimax, off by 2^-55.
  constexpr double series[] = {
      0x1.4084ffc30e624p-16, -0x1.b82dc33404b4dp-13, 0x1.1e9284a909996p-10, -0x1.d98602c367c8cp-9,
      0x1.193ce3e57cae3p-7,  -0x1.03299e0ad6a86p-6,  0x1.88d42cbbe1f29p-6,  -0x1.01f23935a5a84p-5,
      0x1.34277159f3e4ep-5,  -0x1.5d73a77d6266dp-5,  0x1.84449210f4259p-5,  -0x1.aec5c056fb7f9p-5,
      0x1.e1d21719d47ffp-5,  -0x1.111022acf2732p-4,  0x1.3b139d554ef69p-4,  -0x1.745d1629d2c8ep-4,
      0x1.c71c71bd6d437p-4,  -0x1.249249247bfe2p-3,  0x1.9999999999717p-3,  -0x1.5555555555555p-2};
  const double square = t * t;
  return __builtin_fma(t * square, polynomial(series, square), t);
}

/// From 0 to pi: of a quotient below / above, |.| up to 1, or its inverse.
HELPER double turned(double angle, bool is_inverse, bool is_negative) {
  const double upright = is_inverse ? half_pi - (angle - half_pi_low) : angle;
  return is_negative ? 2 * half_pi - (upright - 2 * half_pi_low) : upright;
}

}  // namespace

DEVICE_FUNCTION double asin(double x) {
  const auto [is_far, arcsine] = reduce(__builtin_fabs(x));
  const double far = __builtin_fma(-2, arcsine, half_pi) + half_pi_low;
  return __builtin_copysign(is_far ? far : arcsine, x);
}

DEVICE_FUNCTION double acos(double x) {
  const auto [is_far, arcsine] = reduce(__builtin_fabs(x));
  // Far: twice that, or what it leaves of half a turn; near: what it, with x's sign, leaves of a
  // quarter turn.
  const bool is_negative = x < 0;
  const double turn = is_far ? (is_negative ? 2 * half_pi : 0) : half_pi;
  const double turn_low = is_far ? (is_negative ? 2 * half_pi_low : 0) : half_pi_low;
  const double factor = is_far ? (is_negative ? -2 : 2) : is_negative ? 1 : -1;
  return __builtin_fma(factor, arcsine, turn) + turn_low;
}

// Above 1, a quarter turn less the angle of the inverse.
DEVICE_FUNCTION double atan(double x) {
  const double a = __builtin_fabs(x);
  const bool is_far = a > 1;
  // Inverses of larger numbers are not normal, and add nothing.
  const double inverse = inverse_of(a < 0x1p1000 ? a : 0x1p1000);
  const double angle = turned(near_arctangent(is_far ? inverse : a), is_far, false);
  return __builtin_copysign(a == a ? angle : x, x);
}

DEVICE_FUNCTION double atan2(double y, double x) {
  const double a = __builtin_fabs(x), b = __builtin_fabs(y);
  const bool is_inverse = b > a;
  double above = is_inverse ? a : b, below = is_inverse ? b : a;
  // Brought to where inverses and remainders are normal numbers.
  const unsigned size = magnitude_word(below);
  if (size - 0x20000000 >= 0x5e700000) {
    if (!(below < __builtin_inf())) {
      if (x != x || y != y) return x + y;
      above = above < below ? 0 : 1;
      below = 1;
    } else if (below == 0) {
      below = 1;
    } else {
      const double scale = size < 0x20000000 ? 0x1p600 : 0x1p-600;
      above *= scale;
      below *= scale;
    }
  }
  const double inverse = inverse_of(below), rough = above * inverse;
  const double quotient = __builtin_fma(__builtin_fma(-rough, below, above), inverse, rough);
  return __builtin_copysign(turned(near_arctangent(quotient), is_inverse, __builtin_signbit(x)), y);
}
