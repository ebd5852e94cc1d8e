// float arithmetic with an explicit rounding (__nv_fadd_ru, …).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// double holds products of floats exactly and brackets everything else, so that remainders are
// plain comparisons and neither overflow nor underflow needs a case of its own.
#include "device_library.h"
#include "rounding.h"

using namespace gridspan::device_library;

namespace {

/// high + low (an exact sum) to float.
template <Rounding mode>
HELPER float round_sum(Sum exact) {
  float rounded = static_cast<float>(exact.high);
  if (!is_finite(exact.high)) return rounded;
  // The difference is exact unless it is infinite: high has a few bits more than `rounded`.
  double difference = exact.high - rounded;
  return step_towards<mode>(rounded, difference != 0 ? difference : exact.low);
}

/// a * b + c; a * b is exact in double.
template <Rounding mode>
HELPER float fma(float a, float b, float c) {
  double product = static_cast<double>(a) * b;
  Sum exact = two_sum(product, c);
  if (mode == Rounding::down && exact.high == 0 && exact.low == 0) {
    // An exact zero is -0 when rounding down, unless both parts are +0.
    bool both_positive = !__builtin_signbit(product) && !__builtin_signbit(c);
    return product == 0 && both_positive ? 0.0F : -0.0F;
  }
  return round_sum<mode>(exact);
}

template <Rounding mode>
HELPER float multiply(float a, float b) {
  return round_sum<mode>({static_cast<double>(a) * b, 0});
}

template <Rounding mode>
HELPER float divide(float a, float b) {
  float quotient = a / b;
  if (a == 0 || b == 0 || !is_finite(a) || !is_finite(b)) return quotient;
  double remainder = static_cast<double>(a) - static_cast<double>(quotient) * b;
  return step_towards<mode>(quotient, b < 0 ? -remainder : remainder);
}

template <Rounding mode>
HELPER float root(float a) {
  float rounded = __builtin_sqrtf(a);
  if (!(a > 0) || !is_finite(a)) return rounded;
  return step_towards<mode>(rounded, a - static_cast<double>(rounded) * rounded);
}

}  // namespace

DEVICE_INLINE float __nv_fadd_rn(float a, float b) { return a + b; }
DEVICE_INLINE float __nv_fsub_rn(float a, float b) { return a - b; }
DEVICE_INLINE float __nv_fmul_rn(float a, float b) { return a * b; }
DEVICE_INLINE float __nv_fdiv_rn(float a, float b) { return a / b; }
DEVICE_INLINE float __nv_frcp_rn(float a) { return 1.0F / a; }
DEVICE_INLINE float __nv_fsqrt_rn(float a) { return __builtin_sqrtf(a); }
DEVICE_INLINE float __nv_fmaf_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
DEVICE_INLINE float __nv_fmaf_ieee_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
// Correctly rounded: 1/sqrt in double is within 2^-52, and no float's reciprocal root comes closer
// than that to the middle between two floats (tested over all mantissas).
DEVICE_INLINE float __nv_frsqrt_rn(float a) {
  return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(a)));
}

#define DIRECTED(suffix, mode)                                                                  \
  DEVICE_FUNCTION float __nv_fadd_##suffix(float a, float b) { return fma<mode>(a, 1.0F, b); }  \
  DEVICE_FUNCTION float __nv_fsub_##suffix(float a, float b) { return fma<mode>(a, 1.0F, -b); } \
  DEVICE_FUNCTION float __nv_fmul_##suffix(float a, float b) { return multiply<mode>(a, b); }   \
  DEVICE_FUNCTION float __nv_fdiv_##suffix(float a, float b) { return divide<mode>(a, b); }     \
  DEVICE_FUNCTION float __nv_frcp_##suffix(float a) { return divide<mode>(1.0F, a); }           \
  DEVICE_FUNCTION float __nv_fsqrt_##suffix(float a) { return root<mode>(a); }                  \
  DEVICE_FUNCTION float __nv_fmaf_##suffix(float a, float b, float c) {                         \
    return fma<mode>(a, b, c);                                                                  \
  }                                                                                             \
  DEVICE_FUNCTION float __nv_fmaf_ieee_##suffix(float a, float b, float c) {                    \
    return fma<mode>(a, b, c);                                                                  \
  }
DIRECTED(rz, Rounding::zero)
DIRECTED(ru, Rounding::up)
DIRECTED(rd, Rounding::down)
