// Complex numbers of the CUDA libraries: cuFloatComplex, cuDoubleComplex and their arithmetic.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#define CU_COMPLEX_H_

#include <math.h>

#include "vector_functions.h"
#include "vector_types.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define GRIDSPAN_COMPLEX static __inline__ __host__ __device__ __attribute__((unused))

// Products and sums as the formulas read. Quotients and absolute values are scaled, so that squares
// do not overflow, by the same operations as in NVIDIA's header.
#define GRIDSPAN_COMPLEX_TYPE(complex, real, vector, suffix, absolute, root, largest)     \
  GRIDSPAN_COMPLEX real cuCreal##suffix(complex x) { return x.x; }                        \
  GRIDSPAN_COMPLEX real cuCimag##suffix(complex x) { return x.y; }                        \
  GRIDSPAN_COMPLEX complex cuConj##suffix(complex x) { return make_##vector(x.x, -x.y); } \
  GRIDSPAN_COMPLEX complex cuCadd##suffix(complex x, complex y) {                         \
    return make_##vector(x.x + y.x, x.y + y.y);                                           \
  }                                                                                       \
  GRIDSPAN_COMPLEX complex cuCsub##suffix(complex x, complex y) {                         \
    return make_##vector(x.x - y.x, x.y - y.y);                                           \
  }                                                                                       \
  GRIDSPAN_COMPLEX complex cuCmul##suffix(complex x, complex y) {                         \
    return make_##vector(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);                   \
  }                                                                                       \
  GRIDSPAN_COMPLEX complex cuCdiv##suffix(complex x, complex y) {                         \
    const real scale = (real)1 / (absolute(y.x) + absolute(y.y));                         \
    const real a = x.x * scale, b = x.y * scale, c = y.x * scale, d = y.y * scale;        \
    const real factor = (real)1 / (c * c + d * d);                                        \
    return make_##vector((a * c + b * d) * factor, (b * c - a * d) * factor);             \
  }                                                                                       \
  GRIDSPAN_COMPLEX real cuCabs##suffix(complex x) {                                       \
    const real a = absolute(x.x), b = absolute(x.y);                                      \
    const real more = a > b ? a : b, less = a > b ? b : a, ratio = less / more;           \
    const real size = more * root((real)1 + ratio * ratio);                               \
    return more == 0 || more > largest || less > largest ? more + less : size;            \
  }                                                                                       \
  GRIDSPAN_COMPLEX complex cuCfma##suffix(complex x, complex y, complex z) {              \
    return make_##vector(x.x * y.x + z.x - x.y * y.y, x.x * y.y + z.y + x.y * y.x);       \
  }
GRIDSPAN_COMPLEX_TYPE(cuFloatComplex, float, float2, f, fabsf, sqrtf, 3.402823466e38f)
GRIDSPAN_COMPLEX_TYPE(cuDoubleComplex, double, double2, , fabs, sqrt, 1.7976931348623157e308)
#undef GRIDSPAN_COMPLEX_TYPE

GRIDSPAN_COMPLEX cuFloatComplex make_cuFloatComplex(float real, float imaginary) {
  return make_float2(real, imaginary);
}
GRIDSPAN_COMPLEX cuComplex make_cuComplex(float real, float imaginary) {
  return make_float2(real, imaginary);
}
GRIDSPAN_COMPLEX cuDoubleComplex make_cuDoubleComplex(double real, double imaginary) {
  return make_double2(real, imaginary);
}
GRIDSPAN_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x) {
  return make_double2((double)x.x, (double)x.y);
}
GRIDSPAN_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x) {
  return make_float2((float)x.x, (float)x.y);
}
#undef GRIDSPAN_COMPLEX
