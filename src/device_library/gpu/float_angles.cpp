// asinf, acosf and atanf in float arithmetic. 2 ulp.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../series.h"
#include "gpu.h"

using namespace gridspan::device_library;

namespace {

#define HELPER static inline __attribute__((always_inline))

constexpr float half_pi = 0x1.921fb6p+0F, half_pi_low = -0x1.777a5cp-25F;

/// asin(x), given x^2 <= 1/4.
HELPER float near_arcsine(float x, float square) {
  // (asin(x) / x - 1) / x^2 in x^2, off by 2^-28.
  constexpr float series[] = {0x1.13fed4p-5F, 0x1.18f91ep-6F, 0x1.fd8da2p-6F,
                              0x1.6d5bbap-5F, 0x1.333430p-4F, 0x1.555554p-3F};
  return __builtin_fmaf(x * square, polynomial(series, square), x);
}

/// Above 1/2, acos(a) = 2 asin(sqrt((1 - a) / 2)).
struct Reduced {
  bool is_far;
  float arcsine;  // of a, or half of acos(a)
};
HELPER Reduced reduce(float a) {
  const bool is_far = a > 0.5F;
  const float far_square = __builtin_fmaf(a, -0.5F, 0.5F);
  float root = __nvvm_sqrt_approx_ftz_f(far_square);
  // A step of Newton's. The root is 0, or 2^-13 and more.
  const float missing = __builtin_fmaf(-root, root, far_square);
  root = __builtin_fmaf(missing, 0.5F * __nvvm_rcp_approx_ftz_f(root + 0x1p-60F), root);
  return {is_far, near_arcsine(is_far ? root : a, is_far ? far_square : a * a)};
}

}  // namespace

DEVICE_FUNCTION float asinf(float x) {
  const auto [is_far, arcsine] = reduce(__builtin_fabsf(x));
  const float far = __builtin_fmaf(-2, arcsine, half_pi) + half_pi_low;
  return __builtin_copysignf(is_far ? far : arcsine, x);
}

DEVICE_FUNCTION float acosf(float x) {
  const auto [is_far, arcsine] = reduce(__builtin_fabsf(x));
  // Far: twice that, or what it leaves of half a turn; near: what it, with x's sign, leaves of a
  // quarter turn.
  const bool is_negative = x < 0;
  const float turn = is_far ? (is_negative ? 2 * half_pi : 0) : half_pi;
  const float turn_low = is_far ? (is_negative ? 2 * half_pi_low : 0) : half_pi_low;
  const float factor = is_far ? (is_negative ? -2 : 2) : is_negative ? 1 : -1;
  return __builtin_fmaf(factor, arcsine, turn) + turn_low;
}

// Above 1, a quarter turn less the angle of the inverse.
DEVICE_FUNCTION float atanf(float x) {
  // (atan(t) / t - 1) / t^2 in t^2, off by 2^-25.
  constexpr float series[] = {-0x1.38de56p-9F, 0x1.ba9f66p-7F,  -0x1.25dc12p-5F,
                              0x1.0001c6p-4F,  -0x1.6295f8p-4F, 0x1.c3f168p-4F,
                              -0x1.246cd2p-3F, 0x1.99983cp-3F,  -0x1.555554p-2F};
  const float a = __builtin_fabsf(x);
  const bool is_far = a > 1;
  const float t = is_far ? __nvvm_rcp_approx_ftz_f(a) : a;
  const float square = t * t;
  const float angle = __builtin_fmaf(t * square, polynomial(series, square), t);
  return __builtin_copysignf(is_far ? half_pi - angle : angle, x);
}
