// log, log2, log10 and log1p of double, and the inverse hyperbolic functions made of the last.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// x = 2^k * (1 + f), 1 + f from sqrt(1/2) to sqrt(2). ln(1 + f) = f - f^2 / 2 + s (f^2 / 2 +
// R(s^2)) with s = f / (2 + f): what follows f, the tail, is so small that its rounding errors
// count little (the method of FreeBSD's msun, after P. T. P. Tang, 1990). 1 ulp.
#include "../series.h"
#include "double_words.h"
#include "gpu.h"

using namespace gridspan::device_library;

namespace {

#define HELPER static inline __attribute__((always_inline))

constexpr double infinity = __builtin_inf();

/// ln(1 + f) - f. R(z) / z = (2 artanh(s) / s - 2) / z for z = s^2 < 0.0295, by Sollya's
/// fpminimax, off by 2^-51 of itself.
HELPER double logarithm_tail(double f) {
  constexpr double series[] = {0x1.2b58d77a44819p-3, 0x1.39fe57d2513a1p-3, 0x1.7462b4c5f6f18p-3,
                               0x1.c71c62e62a529p-3, 0x1.2492492def064p-2, 0x1.9999999995321p-2,
                               0x1.5555555555558p-1};
  const double s = f * inverse_of(2 + f);
  const double z = s * s;
  const double half_square = 0.5 * f * f;
  const double sum = __builtin_fma(z, polynomial(series, z), half_square);
  return __builtin_fma(s, sum, -half_square);
}

/// k and what is left of the words of a number, its exponent field that of sqrt(1/2) to sqrt(2).
struct Exponent {
  int k;
  unsigned high;
};
HELPER Exponent exponent_of(unsigned high) {
  constexpr unsigned root_half = 0x3fe6a09e, distance = 0x3ff00000 - root_half;
  // Adding the distance from sqrt(1/2) to 1 makes the exponent field change at sqrt(1/2).
  const unsigned shifted = high + distance;
  return {static_cast<int>(shifted >> 20) - 1023, (shifted & 0xfffff) + root_half};
}

/// Is x positive, normal and finite?
HELPER bool is_ordinary(double x) { return high_word(x) - 0x00100000 < 0x7fe00000; }
/// The logarithm of what is neither, nor subnormal.
HELPER double logarithm_of_special(double x) {
  return x == 0 ? -infinity : x < 0 ? __builtin_nan("") : x + x;
}

/// Calls compute(f, k).
template <class Compute>
HELPER double logarithm(double x, Compute compute) {
  int below = 0;
  if (!is_ordinary(x)) {
    if (!(x > 0 && x < infinity)) return logarithm_of_special(x);
    x *= 0x1p54;
    below = 54;
  }
  const auto [k, high] = exponent_of(high_word(x));
  return compute(from_words(high, low_word(x)) - 1, to_double(k - below));
}

/// k * unit + ln(1 + f) * factor, where `unit`, without its low part, has so few places that its
/// product with k is exact: some 60 bits before the last rounding.
struct Base {
  double unit, unit_low, factor, factor_low;
};
HELPER double logarithm_to(Base base, double f, double k) {
  const double tail = logarithm_tail(f);
  const double product = f * base.factor;
  const double product_low = __builtin_fma(f, base.factor, -product);
  const double whole = k * base.unit;
  const double sum = whole + product;
  const double sum_low = k == 0 ? 0 : product - (sum - whole);
  const double rest =
      __builtin_fma(tail, base.factor, __builtin_fma(f, base.factor_low, product_low));
  return sum + (sum_low + __builtin_fma(k, base.unit_low, rest));
}

}  // namespace

constexpr double ln_2 = 0x1.62e42fefa3800p-1, ln_2_low = 0x1.ef35793c76730p-45;

DEVICE_FUNCTION double log(double x) {
  return logarithm(x, [](double f, double k) __attribute__((always_inline)) {
    const double rest = __builtin_fma(k, ln_2_low, logarithm_tail(f));
    return __builtin_fma(k, ln_2, f + rest);
  });
}

DEVICE_FUNCTION double log2(double x) {
  return logarithm(x, [](double f, double k) __attribute__((always_inline)) {
    return logarithm_to({1, 0, 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56}, f, k);
  });
}

// Powers of ten come out exactly.
DEVICE_FUNCTION double __nv_log10(double x) {
  return logarithm(x, [](double f, double k) __attribute__((always_inline)) {
    return logarithm_to(
        {0x1.34413509f6000p-2, 0x1.9fef311f12b36p-42, 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57},
        f, k);
  });
}

namespace {

/// ln((1 + x) * 2^more) of x from above -1 to 2^1000. 1 + f = (1 + x) / 2^k, without the rounding
/// of 1 + x.
HELPER double logarithm_of_successor(double x, int more) {
  const int k = exponent_of(high_word(1 + x)).k;
  const double scale = from_words(static_cast<unsigned>(1023 - k) << 20, 0);
  const double f = __builtin_fma(x, scale, scale - 1);
  const double f_low = __builtin_fma(x, scale, (scale - 1) - f);
  const double count = to_double(k + more);
  const double rest = __builtin_fma(count, ln_2_low, logarithm_tail(f) + f_low);
  return __builtin_fma(count, ln_2, f + rest);
}

/// sqrt(x) of normal x, off by little more than half an ulp.
HELPER double root_of(double x) {
  const double inverse = rough_inverse_root(x);
  const double root = x * inverse;
  const double missing = __builtin_fma(-root, inverse, 1.0);
  const double better = __builtin_fma(root * missing, __builtin_fma(missing, 0.375, 0.5), root);
  return x == 0 ? x : better;
}

}  // namespace

DEVICE_FUNCTION double log1p(double x) {
  if (!(x > -1 && x < 0x1p1000)) return x > -1 ? log(x) : logarithm_of_special(x + 1);
  // It has the sign of x, which -0 would lose.
  return __builtin_copysign(logarithm_of_successor(x, 0), x);
}

// ln(a + sqrt(a^2 + 1)), where that is 1 and little more, too. 3 ulp.
DEVICE_FUNCTION double asinh(double x) {
  const double a = __builtin_fabs(x);
  if (!(a < 0x1p1000)) return a < infinity ? __builtin_copysign(log(a) + ln_2, x) : x + x;
  const bool is_large = a >= 0x1p60;
  const double b = is_large ? 1 : a;
  const double root = root_of(__builtin_fma(b, b, 1.0));
  const double sum = __builtin_fma(b, b * inverse_of(1 + root), b);
  return __builtin_copysign(logarithm_of_successor(is_large ? a : sum, is_large), x);
}

// ln(x + sqrt(x^2 - 1)). 3 ulp.
DEVICE_FUNCTION double acosh(double x) {
  if (!(x >= 1 && x < 0x1p1000))
    return x < 1 ? __builtin_nan("") : x < infinity ? log(x) + ln_2 : x + x;
  const bool is_large = x >= 0x1p60;
  const double t = is_large ? 1 : x - 1;
  const double sum = t + root_of(__builtin_fma(t, t, 2 * t));
  return logarithm_of_successor(is_large ? x : sum, is_large);
}

// ln((1 + a) / (1 - a)) / 2. 2 ulp.
DEVICE_FUNCTION double atanh(double x) {
  const double a = __builtin_fabs(x);
  if (!(a < 1)) return a == 1 ? x * infinity : __builtin_nan("");
  const double below = 1 - a, below_low = (1 - below) - a;
  const double inverse = inverse_of(below), quotient = 2 * a * inverse;
  const double missing =
      __builtin_fma(-quotient, below_low, __builtin_fma(-quotient, below, 2 * a));
  const double exact = __builtin_fma(missing, inverse, quotient);
  return __builtin_copysign(0.5 * logarithm_of_successor(exact, 0), x);
}
