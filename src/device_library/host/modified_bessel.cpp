// I0 and I1, in long double, for device code and host code alike.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Below 30 the power series, whose terms are all positive; above, the asymptotic series, whose
// smallest term is then below e^-60. long double keeps the sum exact to double, and the exponential
// in range where I0(x) is finite but e^x as a double is not.
#include <cmath>

namespace {

/// sum over k of (x/2)^(2k+order) / (k! (k+order)!)
long double power_series(int order, long double x) {
  long double quarter = x * x / 4;
  long double term = order == 0 ? 1.0L : x / 2;
  long double sum = term;
  for (int k = 1; term > sum * 0x1p-70L; ++k) {
    term *= quarter / (static_cast<long double>(k) * (k + order));
    sum += term;
  }
  return sum;
}

/// e^x / sqrt(2 pi x) * (1 - (m-1)/(8x) + (m-1)(m-9)/(2! (8x)^2) - …), m = 4 order²
long double asymptotic_series(int order, long double x) {
  constexpr long double two_pi = 6.283185307179586476925286766559L;
  long double m = 4.0L * order * order;
  long double term = 1, sum = 1;
  for (int k = 1; k < 60 && std::fabs(term) > 0x1p-70L; ++k) {
    long double odd = 2.0L * k - 1;
    term *= -(m - odd * odd) / (k * 8 * x);
    sum += term;
  }
  return std::exp(x) / std::sqrt(two_pi * x) * sum;
}

double modified_bessel(int order, double x) {
  if (std::isnan(x)) return x;
  if (std::isinf(x)) return order == 0 ? std::fabs(x) : x;
  long double magnitude = std::fabs(static_cast<long double>(x));
  long double value =
      magnitude < 30 ? power_series(order, magnitude) : asymptotic_series(order, magnitude);
  return static_cast<double>(order == 1 && std::signbit(x) ? -value : value);
}

}  // namespace

extern "C" {
__attribute__((visibility("default"))) double gridspan_math_cyl_bessel_i0(double x) noexcept {
  return modified_bessel(0, x);
}
__attribute__((visibility("default"))) double gridspan_math_cyl_bessel_i1(double x) noexcept {
  return modified_bessel(1, x);
}
}
