// 8-bit floating point: __nv_fp8_e4m3, __nv_fp8_e5m2, scales (__nv_fp8_e8m0), their pairs and
// quadruples, conversions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#define __CUDA_FP8_H__

#include <assert.h>

#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;

typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#if defined(__cplusplus) && __cplusplus >= 201103L
#include "gridspan/byte_float_bits.h"

GRIDSPAN_HOST_DEVICE __nv_fp8_storage_t
__nv_cvt_double_to_fp8(const double x, const __nv_saturation_t saturate,
                       const __nv_fp8_interpretation_t interpretation) {
  const bool saturates = saturate == __NV_SATFINITE;
  return interpretation == __NV_E4M3
             ? gridspan_byte_float::narrow<gridspan_byte_float::E4m3>(x, saturates)
             : gridspan_byte_float::narrow<gridspan_byte_float::E5m2>(x, saturates);
}
GRIDSPAN_HOST_DEVICE __nv_fp8_storage_t
__nv_cvt_float_to_fp8(const float x, const __nv_saturation_t saturate,
                      const __nv_fp8_interpretation_t interpretation) {
  return __nv_cvt_double_to_fp8((double)x, saturate, interpretation);
}
GRIDSPAN_HOST_DEVICE __nv_fp8_storage_t
__nv_cvt_halfraw_to_fp8(const __half_raw x, const __nv_saturation_t saturate,
                        const __nv_fp8_interpretation_t interpretation) {
  return __nv_cvt_float_to_fp8(__half2float(x), saturate, interpretation);
}
GRIDSPAN_HOST_DEVICE __nv_fp8_storage_t
__nv_cvt_bfloat16raw_to_fp8(const __nv_bfloat16_raw x, const __nv_saturation_t saturate,
                            const __nv_fp8_interpretation_t interpretation) {
  return __nv_cvt_float_to_fp8(__bfloat162float(x), saturate, interpretation);
}
GRIDSPAN_HOST_DEVICE __half_raw __nv_cvt_fp8_to_halfraw(
    const __nv_fp8_storage_t x, const __nv_fp8_interpretation_t interpretation) {
  return __half_raw{interpretation == __NV_E4M3
                        ? gridspan_byte_float::widen<gridspan_byte_float::E4m3>(x)
                        : gridspan_byte_float::widen<gridspan_byte_float::E5m2>(x)};
}

// Pairs: the first number is the low byte.
#define GRIDSPAN_PAIR_TO_BYTES(name, type, single, first, second)                                  \
  GRIDSPAN_HOST_DEVICE __nv_fp8x2_storage_t name(const type x, const __nv_saturation_t saturate,   \
                                                 const __nv_fp8_interpretation_t interpretation) { \
    const unsigned int low = single(first, saturate, interpretation);                              \
    return (__nv_fp8x2_storage_t)(low | (unsigned int)single(second, saturate, interpretation)     \
                                            << 8);                                                 \
  }
GRIDSPAN_PAIR_TO_BYTES(__nv_cvt_double2_to_fp8x2, double2, __nv_cvt_double_to_fp8, x.x, x.y)
GRIDSPAN_PAIR_TO_BYTES(__nv_cvt_float2_to_fp8x2, float2, __nv_cvt_float_to_fp8, x.x, x.y)
GRIDSPAN_PAIR_TO_BYTES(__nv_cvt_halfraw2_to_fp8x2, __half2_raw, __nv_cvt_halfraw_to_fp8,
                       __half_raw{x.x}, __half_raw{x.y})
GRIDSPAN_PAIR_TO_BYTES(__nv_cvt_bfloat16raw2_to_fp8x2, __nv_bfloat162_raw,
                       __nv_cvt_bfloat16raw_to_fp8, __nv_bfloat16_raw{x.x}, __nv_bfloat16_raw{x.y})
#undef GRIDSPAN_PAIR_TO_BYTES
GRIDSPAN_HOST_DEVICE __half2_raw __nv_cvt_fp8x2_to_halfraw2(
    const __nv_fp8x2_storage_t x, const __nv_fp8_interpretation_t interpretation) {
  return __half2_raw{__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)x, interpretation).x,
                     __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), interpretation).x};
}

#define GRIDSPAN_STORAGE __nv_fp8_storage_t
#define GRIDSPAN_STORAGE_2 __nv_fp8x2_storage_t
#define GRIDSPAN_STORAGE_4 __nv_fp8x4_storage_t
#define GRIDSPAN_PAIR_BITS 16
#define GRIDSPAN_MAGNITUDE 0x7f
#define GRIDSPAN_NARROW(real, value) \
  __nv_cvt_##real##_to_fp8(value, __NV_SATFINITE, GRIDSPAN_INTERPRETATION)
#define GRIDSPAN_NARROW_2(pair, value) \
  __nv_cvt_##pair##_to_fp8x2(value, __NV_SATFINITE, GRIDSPAN_INTERPRETATION)
#define GRIDSPAN_WIDEN(x) __half(__nv_cvt_fp8_to_halfraw(x, GRIDSPAN_INTERPRETATION))
#define GRIDSPAN_WIDEN_2(x) __half2(__nv_cvt_fp8x2_to_halfraw2(x, GRIDSPAN_INTERPRETATION))

#define GRIDSPAN_BYTE __nv_fp8_e4m3
#define GRIDSPAN_BYTE_2 __nv_fp8x2_e4m3
#define GRIDSPAN_BYTE_4 __nv_fp8x4_e4m3
#define GRIDSPAN_INTERPRETATION __NV_E4M3
#include "gridspan/byte_float_type.h"

#define GRIDSPAN_BYTE __nv_fp8_e5m2
#define GRIDSPAN_BYTE_2 __nv_fp8x2_e5m2
#define GRIDSPAN_BYTE_4 __nv_fp8x4_e5m2
#define GRIDSPAN_INTERPRETATION __NV_E5M2
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

#include "gridspan/byte_scale.h"

#endif
