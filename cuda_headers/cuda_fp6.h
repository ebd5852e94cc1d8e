// 6-bit floating point: __nv_fp6_e2m3, __nv_fp6_e3m2, their pairs and quadruples, conversions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// There is neither infinity nor NaN: what is too large, and NaN, becomes the largest number.
#pragma once

#define __CUDA_FP6_H__

#include "cuda_fp8.h"

typedef unsigned char __nv_fp6_storage_t;
typedef unsigned short __nv_fp6x2_storage_t;
typedef unsigned int __nv_fp6x4_storage_t;

typedef enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 } __nv_fp6_interpretation_t;

#if defined(__cplusplus) && __cplusplus >= 201103L

GRIDSPAN_HOST_DEVICE __nv_fp6_storage_t
__nv_cvt_double_to_fp6(const double x, const __nv_fp6_interpretation_t interpretation,
                       const enum cudaRoundMode rounding) {
  return interpretation == __NV_E2M3
             ? gridspan_byte_float::narrow<gridspan_byte_float::E2m3>(x, true, rounding)
             : gridspan_byte_float::narrow<gridspan_byte_float::E3m2>(x, true, rounding);
}
GRIDSPAN_HOST_DEVICE __nv_fp6_storage_t
__nv_cvt_float_to_fp6(const float x, const __nv_fp6_interpretation_t interpretation,
                      const enum cudaRoundMode rounding) {
  return __nv_cvt_double_to_fp6((double)x, interpretation, rounding);
}
GRIDSPAN_HOST_DEVICE __nv_fp6_storage_t
__nv_cvt_halfraw_to_fp6(const __half_raw x, const __nv_fp6_interpretation_t interpretation,
                        const enum cudaRoundMode rounding) {
  return __nv_cvt_float_to_fp6(__half2float(x), interpretation, rounding);
}
GRIDSPAN_HOST_DEVICE __nv_fp6_storage_t __nv_cvt_bfloat16raw_to_fp6(
    const __nv_bfloat16_raw x, const __nv_fp6_interpretation_t interpretation,
    const enum cudaRoundMode rounding) {
  return __nv_cvt_float_to_fp6(__bfloat162float(x), interpretation, rounding);
}
GRIDSPAN_HOST_DEVICE __half_raw __nv_cvt_fp6_to_halfraw(
    const __nv_fp6_storage_t x, const __nv_fp6_interpretation_t interpretation) {
  return __half_raw{interpretation == __NV_E2M3
                        ? gridspan_byte_float::widen<gridspan_byte_float::E2m3>(x)
                        : gridspan_byte_float::widen<gridspan_byte_float::E3m2>(x)};
}

// Pairs: the first number is the low byte.
#define GRIDSPAN_PAIR(name, type, single, first, second)                                         \
  GRIDSPAN_HOST_DEVICE __nv_fp6x2_storage_t name(const type x,                                   \
                                                 const __nv_fp6_interpretation_t interpretation, \
                                                 const enum cudaRoundMode rounding) {            \
    const unsigned int low = single(first, interpretation, rounding);                            \
    return (__nv_fp6x2_storage_t)(low | (unsigned int)single(second, interpretation, rounding)   \
                                            << 8);                                               \
  }
GRIDSPAN_PAIR(__nv_cvt_double2_to_fp6x2, double2, __nv_cvt_double_to_fp6, x.x, x.y)
GRIDSPAN_PAIR(__nv_cvt_float2_to_fp6x2, float2, __nv_cvt_float_to_fp6, x.x, x.y)
GRIDSPAN_PAIR(__nv_cvt_halfraw2_to_fp6x2, __half2_raw, __nv_cvt_halfraw_to_fp6, __half_raw{x.x},
              __half_raw{x.y})
GRIDSPAN_PAIR(__nv_cvt_bfloat16raw2_to_fp6x2, __nv_bfloat162_raw, __nv_cvt_bfloat16raw_to_fp6,
              __nv_bfloat16_raw{x.x}, __nv_bfloat16_raw{x.y})
#undef GRIDSPAN_PAIR
GRIDSPAN_HOST_DEVICE __half2_raw __nv_cvt_fp6x2_to_halfraw2(
    const __nv_fp6x2_storage_t x, const __nv_fp6_interpretation_t interpretation) {
  return __half2_raw{__nv_cvt_fp6_to_halfraw((__nv_fp6_storage_t)x, interpretation).x,
                     __nv_cvt_fp6_to_halfraw((__nv_fp6_storage_t)(x >> 8), interpretation).x};
}

#define GRIDSPAN_STORAGE __nv_fp6_storage_t
#define GRIDSPAN_STORAGE_2 __nv_fp6x2_storage_t
#define GRIDSPAN_STORAGE_4 __nv_fp6x4_storage_t
#define GRIDSPAN_PAIR_BITS 16
#define GRIDSPAN_MAGNITUDE 0x1f
#define GRIDSPAN_NARROW(real, value) \
  __nv_cvt_##real##_to_fp6(value, GRIDSPAN_INTERPRETATION, cudaRoundNearest)
#define GRIDSPAN_NARROW_2(pair, value) \
  __nv_cvt_##pair##_to_fp6x2(value, GRIDSPAN_INTERPRETATION, cudaRoundNearest)
#define GRIDSPAN_WIDEN(x) __half(__nv_cvt_fp6_to_halfraw(x, GRIDSPAN_INTERPRETATION))
#define GRIDSPAN_WIDEN_2(x) __half2(__nv_cvt_fp6x2_to_halfraw2(x, GRIDSPAN_INTERPRETATION))

#define GRIDSPAN_BYTE __nv_fp6_e2m3
#define GRIDSPAN_BYTE_2 __nv_fp6x2_e2m3
#define GRIDSPAN_BYTE_4 __nv_fp6x4_e2m3
#define GRIDSPAN_INTERPRETATION __NV_E2M3
#include "gridspan/byte_float_type.h"

#define GRIDSPAN_BYTE __nv_fp6_e3m2
#define GRIDSPAN_BYTE_2 __nv_fp6x2_e3m2
#define GRIDSPAN_BYTE_4 __nv_fp6x4_e3m2
#define GRIDSPAN_INTERPRETATION __NV_E3M2
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
