// I0 and I1 in double, by the names by which libgridspan has them for CPUs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Up to 8 the power series, whose terms are all positive; above e^x / sqrt(x) times a polynomial in
// 8 / x. 5 ulp.
#include "modified_bessel_tables.h"

#include "../series.h"
#include "gpu.h"

using namespace gridspan::device_library;

double exp(double) __asm__("exp");

/// e^a / sqrt(a) * rest, also where e^a overflows and the product does not.
static inline __attribute__((always_inline)) double scaled(double a, double rest) {
  const bool is_large = a > 700;
  const double power = exp(is_large ? a / 2 : a);
  const double value = rest / __builtin_sqrt(a) * power;
  return is_large ? value * power : value;
}

DEVICE_FUNCTION double gridspan_math_cyl_bessel_i0(double x) {
  const double a = __builtin_fabs(x);
  if (a == __builtin_inf()) return a;
  if (a <= 8) return polynomial(i0_inner, a * a / 4);
  return scaled(a, polynomial(i0_outer, 16 / a - 1));
}
DEVICE_FUNCTION double gridspan_math_cyl_bessel_i1(double x) {
  const double a = __builtin_fabs(x);
  if (a == __builtin_inf()) return x;
  const double value = a <= 8 ? a / 2 * polynomial(i1_inner, a * a / 4)
                              : scaled(a, polynomial(i1_outer, 16 / a - 1));
  return __builtin_copysign(value, x);
}
