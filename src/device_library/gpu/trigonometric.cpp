// sin, cos and tan of float.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../series.h"
#include "float_sine.h"
#include "gpu.h"

using namespace gridspan::device_library;

namespace {

#define HELPER static inline __attribute__((always_inline))

/// Of a rest. Adding 0 keeps the sign of -0.
HELPER float near_sine(float x) {
  const float square = x * x;
  return __builtin_fmaf(polynomial(sine_tail, square), __builtin_fmaf(square, x, 0.0F), x);
}
HELPER float near_cosine(float x) {
  const float square = x * x;
  return __builtin_fmaf(polynomial(cosine_tail, square), square, 1.0F);
}

}  // namespace

// 2 ulp, as CUDA says; 4 of the tangent.
DEVICE_FUNCTION float sinf(float x) {
  const Reduced reduced = reduce(x);
  return sine_of(reduced.quarters, reduced.rest);
}
DEVICE_FUNCTION float cosf(float x) {
  const Reduced reduced = reduce(x);
  return sine_of(reduced.quarters + 1, reduced.rest);
}
DEVICE_INLINE void __nv_sincosf(float x, float* sine, float* cosine) {
  const auto [quarters, rest] = reduce(x);
  const float at_0 = near_sine(rest), at_1 = near_cosine(rest);
  const bool is_odd = (quarters & 1) != 0;
  *sine = with_sign_of(quarters, is_odd ? at_1 : at_0);
  *cosine = with_sign_of(quarters + 1, is_odd ? at_0 : at_1);
}
DEVICE_FUNCTION float tanf(float x) {
  const Reduced reduced = reduce(x);
  const float sine = near_sine(reduced.rest), cosine = near_cosine(reduced.rest);
  return (reduced.quarters & 1) != 0 ? -cosine / sine : sine / cosine;
}
