// double arithmetic with an explicit rounding (__nv_dadd_ru, …).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results far from overflow and underflow, which nearly all are, have remainders that are numbers:
// an FMA gives them. For the others, operands are split into mantissa and exponent,
// so that remainders are exact (no underflow), and the result is put together by round_scaled,
// which handles overflow and subnormals in one place.
#include "device_library.h"
#include "rounding.h"

using namespace gridspan::device_library;

namespace {

/// The sum of three numbers as one rounded to nearest and the sign of the rest.
struct Rounded {
  double high, remainder;
};
HELPER Rounded sum_of_three(double large, double middle, double small) {
  Sum lower = two_sum(middle, small);
  Sum upper = two_sum(large, lower.high);
  // The parts below `upper.high` do not overlap, so the greater one decides.
  Sum rest = two_sum(upper.low, lower.low);
  Sum total = two_sum(upper.high, rest.high);
  return {total.high, total.low != 0 ? total.low : rest.low};
}

template <Rounding mode>
HELPER double add(double a, double b) {
  double sum = a + b;
  if (!is_finite(a) || !is_finite(b)) return sum;
  if (__builtin_isinf(sum)) return step_towards<mode>(sum, sum > 0 ? -1.0 : 1.0);
  if (sum == 0) {
    if (mode != Rounding::down) return sum;
    return __builtin_signbit(a) || __builtin_signbit(b) ? -0.0 : 0.0;
  }
  // The greater one first: then no intermediate result overflows.
  double large = __builtin_fabs(a) < __builtin_fabs(b) ? b : a;
  double small = __builtin_fabs(a) < __builtin_fabs(b) ? a : b;
  return step_towards<mode>(sum, small - (sum - large));
}

template <Rounding mode>
RARE double multiply_rare(double a, double b) {
  if (a == 0 || b == 0 || !is_finite(a) || !is_finite(b)) return a * b;
  Split left = split(a), right = split(b);
  double high = left.mantissa * right.mantissa;
  double low = __builtin_fma(left.mantissa, right.mantissa, -high);
  return round_scaled<mode>(high, low, left.exponent + right.exponent);
}

template <Rounding mode>
HELPER double multiply(double a, double b) {
  double product = a * b;
  if (!is_amid(product)) return multiply_rare<mode>(a, b);
  return step_amid<mode>(product, __builtin_fma(a, b, -product));
}

template <Rounding mode>
RARE double divide_rare(double a, double b) {
  if (a == 0 || b == 0 || !is_finite(a) || !is_finite(b)) return a / b;
  Split left = split(a), right = split(b);
  double high = left.mantissa / right.mantissa;
  double remainder = __builtin_fma(-high, right.mantissa, left.mantissa);
  return round_scaled<mode>(high, right.mantissa < 0 ? -remainder : remainder,
                            left.exponent - right.exponent);
}

template <Rounding mode>
HELPER double divide(double a, double b) {
  double quotient = a / b;
  if (!is_amid(a) || !is_amid(quotient)) return divide_rare<mode>(a, b);
  double left_over = __builtin_fma(-quotient, b, a);
  return step_amid<mode>(quotient, b < 0 ? -left_over : left_over);
}

template <Rounding mode>
RARE double root_rare(double a) {
  if (!(a > 0) || !is_finite(a)) return __builtin_sqrt(a);
  Split parts = split(a);
  int odd = parts.exponent & 1;
  double value = odd ? 2 * parts.mantissa : parts.mantissa;
  double high = __builtin_sqrt(value);
  return round_scaled<mode>(high, __builtin_fma(-high, high, value), (parts.exponent - odd) / 2);
}

template <Rounding mode>
HELPER double root(double a) {
  if (!(a > 0) || !is_amid(a)) return root_rare<mode>(a);
  double nearest = __builtin_sqrt(a);
  return step_amid<mode>(nearest, __builtin_fma(-nearest, nearest, a));
}

template <Rounding mode>
RARE double fma_rare(double a, double b, double c) {
  if (!is_finite(a) || !is_finite(b) || !is_finite(c)) return __builtin_fma(a, b, c);
  if (a == 0 || b == 0) return add<mode>(a * b, c);
  if (c == 0) return multiply_rare<mode>(a, b);
  Split left = split(a), right = split(b), third = split(c);
  int exponent = left.exponent + right.exponent;
  double high = left.mantissa * right.mantissa;
  double low = __builtin_fma(left.mantissa, right.mantissa, -high);
  int distance = third.exponent - exponent;
  // Too far apart to touch: the smaller one is only the sign of the remainder.
  if (distance > 120) return round_scaled<mode>(third.mantissa, high, third.exponent);
  if (distance < -120) {
    return round_scaled<mode>(high, low != 0 ? low : third.mantissa, exponent);
  }
  double addend = scale(third.mantissa, distance);
  Rounded sum = sum_of_three(addend, high, low);
  if (sum.high == 0) return mode == Rounding::down ? -0.0 : 0.0;
  Split parts = split(sum.high);
  return round_scaled<mode>(parts.mantissa, sum.remainder, exponent + parts.exponent);
}

template <Rounding mode>
HELPER double fma(double a, double b, double c) {
  double nearest = __builtin_fma(a, b, c), product = a * b;
  if (!is_amid(nearest) || !is_amid(product) || !is_amid(c)) return fma_rare<mode>(a, b, c);
  // The error of an FMA (Boldo and Muller, "Some functions computable with a fused-mac", 2005).
  Sum lower = two_sum(c, __builtin_fma(a, b, -product));
  Sum upper = two_sum(product, lower.high);
  return step_amid<mode>(nearest, ((upper.high - nearest) + upper.low) + lower.low);
}

}  // namespace

DEVICE_INLINE double __nv_dadd_rn(double a, double b) { return a + b; }
DEVICE_INLINE double __nv_dsub_rn(double a, double b) { return a - b; }
DEVICE_INLINE double __nv_dmul_rn(double a, double b) { return a * b; }
DEVICE_INLINE double __nv_ddiv_rn(double a, double b) { return a / b; }
DEVICE_INLINE double __nv_drcp_rn(double a) { return 1.0 / a; }
DEVICE_INLINE double __nv_dsqrt_rn(double a) { return __builtin_sqrt(a); }
DEVICE_INLINE double __nv_fma_rn(double a, double b, double c) { return __builtin_fma(a, b, c); }

#define DIRECTED(suffix, mode)                                                                   \
  DEVICE_FUNCTION double __nv_dadd_##suffix(double a, double b) { return add<mode>(a, b); }      \
  DEVICE_FUNCTION double __nv_dsub_##suffix(double a, double b) { return add<mode>(a, -b); }     \
  DEVICE_FUNCTION double __nv_dmul_##suffix(double a, double b) { return multiply<mode>(a, b); } \
  DEVICE_FUNCTION double __nv_ddiv_##suffix(double a, double b) { return divide<mode>(a, b); }   \
  DEVICE_FUNCTION double __nv_drcp_##suffix(double a) { return divide<mode>(1.0, a); }           \
  DEVICE_FUNCTION double __nv_dsqrt_##suffix(double a) { return root<mode>(a); }                 \
  DEVICE_FUNCTION double __nv_fma_##suffix(double a, double b, double c) {                       \
    return fma<mode>(a, b, c);                                                                   \
  }
DIRECTED(rz, Rounding::zero)
DIRECTED(ru, Rounding::up)
DIRECTED(rd, Rounding::down)

// The reciprocal with only the upper word of the result kept (PTX rcp.approx.ftz.f64).
DEVICE_INLINE double __nv_rcp64h(double a) {
  return bits_as<double>(bits_as<std::uint64_t>(1.0 / a) & 0xffffffff00000000u);
}
