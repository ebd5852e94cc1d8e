// Euclidean norms and their reciprocals.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Squares are summed to twice the precision, after scaling where they would leave the range. An
// infinite component gives infinity (reciprocal 0), even beside a NaN.
#include "device_library.h"

using namespace gridspan::device_library;

namespace {

enum class Wanted { norm, reciprocal };

template <Wanted wanted>
HELPER double norm_of(int count, const double* values) {
  double largest = 0, undefined = 0;
  for (int i = 0; i < count; ++i) {
    double magnitude = __builtin_fabs(values[i]);
    if (__builtin_isinf(magnitude)) return wanted == Wanted::norm ? magnitude : 0.0;
    if (is_nan(magnitude)) undefined = magnitude;
    if (magnitude > largest) largest = magnitude;
  }
  if (is_nan(undefined)) return undefined;
  if (largest == 0) return wanted == Wanted::norm ? 0.0 : __builtin_inf();

  double factor = largest > 0x1p500 ? 0x1p-600 : largest < 0x1p-400 ? 0x1p600 : 1.0;
  double back = largest > 0x1p500 ? 0x1p600 : largest < 0x1p-400 ? 0x1p-600 : 1.0;
  double high = 0, low = 0;
  for (int i = 0; i < count; ++i) {
    double x = values[i] * factor;
    double square = x * x;
    Sum sum = two_sum(high, square);
    high = sum.high;
    low += sum.low + __builtin_fma(x, x, -square);
  }
  double root = __builtin_sqrt(high);
  double root_low = (__builtin_fma(-root, root, high) + low) / (2 * root);
  if (wanted == Wanted::norm) return (root + root_low) * back;
  double reciprocal = 1 / root;
  double error = __builtin_fma(-root, reciprocal, 1.0) - root_low * reciprocal;
  return __builtin_fma(reciprocal, error, reciprocal) * factor;
}

/// The squares of floats neither overflow nor vanish in double.
template <Wanted wanted>
HELPER float norm_of(int count, const float* values) {
  double sum = 0;
  bool infinite = false;
  for (int i = 0; i < count; ++i) {
    infinite |= __builtin_isinf(values[i]) != 0;
    sum += static_cast<double>(values[i]) * values[i];
  }
  if (infinite) sum = __builtin_inf();
  double root = __builtin_sqrt(sum);
  return static_cast<float>(wanted == Wanted::norm ? root : 1 / root);
}

}  // namespace

DEVICE_INLINE double __nv_hypot(double a, double b) { return __builtin_hypot(a, b); }
DEVICE_INLINE float __nv_hypotf(float a, float b) {
  float values[] = {a, b};
  return norm_of<Wanted::norm>(2, values);
}

#define NORMS(type, suffix)                                                   \
  DEVICE_FUNCTION type __nv_rhypot##suffix(type a, type b) {                  \
    type values[] = {a, b};                                                   \
    return norm_of<Wanted::reciprocal>(2, values);                            \
  }                                                                           \
  DEVICE_FUNCTION type __nv_norm##suffix(int count, const type* values) {     \
    return norm_of<Wanted::norm>(count, values);                              \
  }                                                                           \
  DEVICE_FUNCTION type __nv_rnorm##suffix(int count, const type* values) {    \
    return norm_of<Wanted::reciprocal>(count, values);                        \
  }                                                                           \
  DEVICE_FUNCTION type __nv_norm3d##suffix(type a, type b, type c) {          \
    type values[] = {a, b, c};                                                \
    return norm_of<Wanted::norm>(3, values);                                  \
  }                                                                           \
  DEVICE_FUNCTION type __nv_rnorm3d##suffix(type a, type b, type c) {         \
    type values[] = {a, b, c};                                                \
    return norm_of<Wanted::reciprocal>(3, values);                            \
  }                                                                           \
  DEVICE_FUNCTION type __nv_norm4d##suffix(type a, type b, type c, type d) {  \
    type values[] = {a, b, c, d};                                             \
    return norm_of<Wanted::norm>(4, values);                                  \
  }                                                                           \
  DEVICE_FUNCTION type __nv_rnorm4d##suffix(type a, type b, type c, type d) { \
    type values[] = {a, b, c, d};                                             \
    return norm_of<Wanted::reciprocal>(4, values);                            \
  }
NORMS(double, )
NORMS(float, f)
#undef NORMS
