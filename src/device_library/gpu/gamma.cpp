// tgamma of double.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Within 12 of 0 the recurrence leads to 1 / Gamma(1 + t), |t| <= 1/2, which is a power series;
// factors x + k are exact there. Above Stirling's formula, and below the reflection of that:
// Gamma(x) Gamma(-x) = -pi / (x sin(pi x)). 7 ulp.
#include "../series.h"
#include "gpu.h"

using namespace gridspan::device_library;

double exp(double) __asm__("exp");
double pow(double, double) __asm__("pow");
double sinpi_of(double) __asm__("__nv_sinpi");

namespace {

#define HELPER static inline __attribute__((always_inline))

constexpr double infinity = __builtin_inf(), pi = 0x1.921fb54442d18p+1;

/// 1 / Gamma(1 + t), computed with mpmath at 400 bits.
constexpr double inverse_gamma[] = {
    0x1.1aea2600ca792p-41,  -0x1.0609d21e6d916p-38, 0x1.11f89ef02192cp-37,  0x1.caf926a062f06p-34,
    -0x1.44b4e9ed56076p-30, 0x1.57bc28234bf81p-28,  0x1.a44b7d0b9e32ep-28,  -0x1.b998663f91f0fp-23,
    0x1.302509db90731p-20,  -0x1.4fad41fcdc48ap-20, -0x1.51ce8af47e694p-16, 0x1.0c8a78cd9fb9dp-13,
    -0x1.c364fe6f15644p-13, -0x1.317112ce3a2abp-10, 0x1.d919c527f60b2p-8,   -0x1.3b4af28483e21p-7,
    -0x1.59af103c34092p-5,  0x1.5512320b43fbep-3,   -0x1.5815e8fa27048p-5,  -0x1.4fcf4026afa2ep-1,
    0x1.2788cfc6fb619p-1,   0x1.0000000000000p+0};

/// high + low with some 100 bits.
struct Pair {
  double high, low;
};
HELPER Pair times(Pair product, double factor) {
  const double high = product.high * factor;
  const double rest = __builtin_fma(product.high, factor, -high);
  return {high, __builtin_fma(product.low, factor, rest)};
}

HELPER double by_recurrence(double x) {
  const double n = __builtin_rint(x);
  const double inverse = polynomial(inverse_gamma, x - n);
  Pair product{1, 0};
  if (n > 1) {
    // Gamma(n + t) = Gamma(1 + t) (1 + t) (2 + t) ... (n - 1 + t)
    for (double k = 1; k < n; ++k) product = times(product, x - k);
    return product.high / inverse + product.low / inverse;
  }
  // Gamma(n + t) = Gamma(1 + t) / ((n + t) (n + 1 + t) ... t)
  for (double k = n; k <= 0; ++k) product = times(product, x + (k - n));
  return 1 / __builtin_fma(product.high, inverse, product.low * inverse);
}

/// sqrt(2 pi / x) (x / e)^x e^(1 / (12 x) - ...) for x >= 12, as a product of two: the first alone
/// does not overflow below 330.
struct Factors {
  double first, second;
};
HELPER Factors stirling(double x) {
  constexpr double root_two_pi = 0x1.40d931ff62706p+1;
  constexpr double series[] = {-691.0 / 360360, 1.0 / 1188, -1.0 / 1680,
                               1.0 / 1260,      -1.0 / 360, 1.0 / 12};
  const double inverse = 1 / x;
  const double rest = exp(polynomial(series, inverse * inverse) * inverse);
  const double half = pow(x, (x - 0.5) / 2);  // the exponent is exact
  return {half * exp(-x) * (root_two_pi * rest), half};
}

}  // namespace

DEVICE_FUNCTION double tgamma(double x) {
  const double a = __builtin_fabs(x);
  if (__builtin_isnan(x)) return x;
  if (x == 0) return __builtin_copysign(infinity, x);
  const bool is_whole = __builtin_floor(x) == x;
  if (x < 0 && is_whole) return __builtin_nan("");
  if (a < 12) return by_recurrence(x);
  if (x > 172) return infinity;
  if (x < -190) return __builtin_floor(x / 2) * 2 == __builtin_floor(x) ? 0.0 : -0.0;
  const Factors gamma = stirling(a);
  if (x > 0) return gamma.first * gamma.second;
  return -pi / (a * sinpi_of(a)) / gamma.first / gamma.second;
}
