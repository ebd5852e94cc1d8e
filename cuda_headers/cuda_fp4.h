// 4-bit floating point: __nv_fp4_e2m1, its pairs and quadruples, conversions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// There is neither infinity nor NaN: what is too large, and NaN, becomes the largest number.
#pragma once

#define __CUDA_FP4_H__

#include "cuda_fp8.h"

typedef unsigned char __nv_fp4_storage_t;
typedef unsigned char __nv_fp4x2_storage_t;
typedef unsigned short __nv_fp4x4_storage_t;

typedef enum __nv_fp4_interpretation_t { __NV_E2M1 } __nv_fp4_interpretation_t;

#if defined(__cplusplus) && __cplusplus >= 201103L

GRIDSPAN_HOST_DEVICE __nv_fp4_storage_t __nv_cvt_double_to_fp4(const double x,
                                                               const __nv_fp4_interpretation_t,
                                                               const enum cudaRoundMode rounding) {
  return gridspan_byte_float::narrow<gridspan_byte_float::E2m1>(x, true, rounding);
}
GRIDSPAN_HOST_DEVICE __nv_fp4_storage_t
__nv_cvt_float_to_fp4(const float x, const __nv_fp4_interpretation_t interpretation,
                      const enum cudaRoundMode rounding) {
  return __nv_cvt_double_to_fp4((double)x, interpretation, rounding);
}
GRIDSPAN_HOST_DEVICE __nv_fp4_storage_t
__nv_cvt_halfraw_to_fp4(const __half_raw x, const __nv_fp4_interpretation_t interpretation,
                        const enum cudaRoundMode rounding) {
  return __nv_cvt_float_to_fp4(__half2float(x), interpretation, rounding);
}
GRIDSPAN_HOST_DEVICE __nv_fp4_storage_t __nv_cvt_bfloat16raw_to_fp4(
    const __nv_bfloat16_raw x, const __nv_fp4_interpretation_t interpretation,
    const enum cudaRoundMode rounding) {
  return __nv_cvt_float_to_fp4(__bfloat162float(x), interpretation, rounding);
}
GRIDSPAN_HOST_DEVICE __half_raw __nv_cvt_fp4_to_halfraw(const __nv_fp4_storage_t x,
                                                        const __nv_fp4_interpretation_t) {
  return __half_raw{gridspan_byte_float::widen<gridspan_byte_float::E2m1>(x)};
}

// Pairs: the first number is the low four bits.
#define GRIDSPAN_PAIR(name, type, single, first, second)                                         \
  GRIDSPAN_HOST_DEVICE __nv_fp4x2_storage_t name(const type x,                                   \
                                                 const __nv_fp4_interpretation_t interpretation, \
                                                 const enum cudaRoundMode rounding) {            \
    const unsigned int low = single(first, interpretation, rounding);                            \
    return (__nv_fp4x2_storage_t)(low | (unsigned int)single(second, interpretation, rounding)   \
                                            << 4);                                               \
  }
GRIDSPAN_PAIR(__nv_cvt_double2_to_fp4x2, double2, __nv_cvt_double_to_fp4, x.x, x.y)
GRIDSPAN_PAIR(__nv_cvt_float2_to_fp4x2, float2, __nv_cvt_float_to_fp4, x.x, x.y)
GRIDSPAN_PAIR(__nv_cvt_halfraw2_to_fp4x2, __half2_raw, __nv_cvt_halfraw_to_fp4, __half_raw{x.x},
              __half_raw{x.y})
GRIDSPAN_PAIR(__nv_cvt_bfloat16raw2_to_fp4x2, __nv_bfloat162_raw, __nv_cvt_bfloat16raw_to_fp4,
              __nv_bfloat16_raw{x.x}, __nv_bfloat16_raw{x.y})
#undef GRIDSPAN_PAIR
GRIDSPAN_HOST_DEVICE __half2_raw __nv_cvt_fp4x2_to_halfraw2(
    const __nv_fp4x2_storage_t x, const __nv_fp4_interpretation_t interpretation) {
  return __half2_raw{__nv_cvt_fp4_to_halfraw((__nv_fp4_storage_t)x, interpretation).x,
                     __nv_cvt_fp4_to_halfraw((__nv_fp4_storage_t)(x >> 4), interpretation).x};
}

#define GRIDSPAN_STORAGE __nv_fp4_storage_t
#define GRIDSPAN_STORAGE_2 __nv_fp4x2_storage_t
#define GRIDSPAN_STORAGE_4 __nv_fp4x4_storage_t
#define GRIDSPAN_PAIR_BITS 8
#define GRIDSPAN_MAGNITUDE 7
#define GRIDSPAN_NARROW(real, value) \
  __nv_cvt_##real##_to_fp4(value, GRIDSPAN_INTERPRETATION, cudaRoundNearest)
#define GRIDSPAN_NARROW_2(pair, value) \
  __nv_cvt_##pair##_to_fp4x2(value, GRIDSPAN_INTERPRETATION, cudaRoundNearest)
#define GRIDSPAN_WIDEN(x) __half(__nv_cvt_fp4_to_halfraw(x, GRIDSPAN_INTERPRETATION))
#define GRIDSPAN_WIDEN_2(x) __half2(__nv_cvt_fp4x2_to_halfraw2(x, GRIDSPAN_INTERPRETATION))

#define GRIDSPAN_BYTE __nv_fp4_e2m1
#define GRIDSPAN_BYTE_2 __nv_fp4x2_e2m1
#define GRIDSPAN_BYTE_4 __nv_fp4x4_e2m1
#define GRIDSPAN_INTERPRETATION __NV_E2M1
#include "gridspan/byte_float_type.h"

#undef GRIDSPAN_STORAGE
#undef GRIDSPAN_STORAGE_2
#undef GRIDSPAN_STORAGE_4
#undef GRIDSPAN_PAIR_BITS
#undef GRIDSPAN_MAGNITUDE
#undef GRIDSPAN_NARROW
#undef GRIDSPAN_NARROW_2
#undef GRIDSPAN_WIDEN
#undef GRIDSPAN_WIDEN_2

#endif
