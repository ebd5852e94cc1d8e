// Scales of 8 bits, powers of two: __nv_fp8_e8m0, pairs, quadruples, conversions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part of cuda_fp8.h. The magnitude of a number is rounded up or to zero; 255 is NaN.
#pragma once

GRIDSPAN_HOST_DEVICE __nv_fp8_storage_t __nv_cvt_double_to_e8m0(const double x,
                                                                const __nv_saturation_t saturate,
                                                                const enum cudaRoundMode rounding) {
  return gridspan_byte_float::to_scale(x, saturate == __NV_SATFINITE, rounding);
}
GRIDSPAN_HOST_DEVICE __nv_fp8_storage_t __nv_cvt_float_to_e8m0(const float x,
                                                               const __nv_saturation_t saturate,
                                                               const enum cudaRoundMode rounding) {
  return __nv_cvt_double_to_e8m0((double)x, saturate, rounding);
}
GRIDSPAN_HOST_DEVICE __nv_fp8_storage_t
__nv_cvt_bfloat16raw_to_e8m0(const __nv_bfloat16_raw x, const __nv_saturation_t saturate,
                             const enum cudaRoundMode rounding) {
  return __nv_cvt_float_to_e8m0(__bfloat162float(x), saturate, rounding);
}
GRIDSPAN_HOST_DEVICE __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(const __nv_fp8_storage_t x) {
  return __nv_bfloat16_raw{gridspan_byte_float::scale_to_bfloat16(x)};
}

// Pairs: the first number is the low byte.
#define GRIDSPAN_PAIR_TO_SCALES(name, type, single, first, second)                               \
  GRIDSPAN_HOST_DEVICE __nv_fp8x2_storage_t name(const type x, const __nv_saturation_t saturate, \
                                                 const enum cudaRoundMode rounding) {            \
    const unsigned int low = single(first, saturate, rounding);                                  \
    return (__nv_fp8x2_storage_t)(low | (unsigned int)single(second, saturate, rounding) << 8);  \
  }
GRIDSPAN_PAIR_TO_SCALES(__nv_cvt_double2_to_e8m0x2, double2, __nv_cvt_double_to_e8m0, x.x, x.y)
GRIDSPAN_PAIR_TO_SCALES(__nv_cvt_float2_to_e8m0x2, float2, __nv_cvt_float_to_e8m0, x.x, x.y)
GRIDSPAN_PAIR_TO_SCALES(__nv_cvt_bfloat162raw_to_e8m0x2, __nv_bfloat162_raw,
                        __nv_cvt_bfloat16raw_to_e8m0, __nv_bfloat16_raw{x.x},
                        __nv_bfloat16_raw{x.y})
#undef GRIDSPAN_PAIR_TO_SCALES
GRIDSPAN_HOST_DEVICE __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(const __nv_fp8x2_storage_t x) {
  return __nv_bfloat162_raw{__nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)x).x,
                            __nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)(x >> 8)).x};
}

#define GRIDSPAN_METHOD \
  __inline__ __attribute__((always_inline)) GRIDSPAN_NO_DEBUG __host__ __device__

struct __nv_fp8_e8m0 {
  __nv_fp8_storage_t __x;

  __nv_fp8_e8m0() = default;
  GRIDSPAN_METHOD explicit __nv_fp8_e8m0(const double value)
      : __x(__nv_cvt_double_to_e8m0(value, __NV_SATFINITE, cudaRoundPosInf)) {}
  GRIDSPAN_METHOD explicit __nv_fp8_e8m0(const float value) : __nv_fp8_e8m0((double)value) {}
  GRIDSPAN_METHOD explicit __nv_fp8_e8m0(const __half value)
      : __nv_fp8_e8m0(gridspan_small_float::wide(value)) {}
  GRIDSPAN_METHOD explicit __nv_fp8_e8m0(const __nv_bfloat16 value)
      : __nv_fp8_e8m0(gridspan_small_float::wide(value)) {}
  GRIDSPAN_METHOD explicit __nv_fp8_e8m0(const unsigned long long value)
      : __x(gridspan_byte_float::whole_to_scale(value)) {}
  GRIDSPAN_METHOD explicit __nv_fp8_e8m0(const unsigned long value)
      : __nv_fp8_e8m0((unsigned long long)value) {}
  GRIDSPAN_METHOD explicit __nv_fp8_e8m0(const long long value)
      : __nv_fp8_e8m0(value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value) {}
  GRIDSPAN_METHOD explicit __nv_fp8_e8m0(const long value) : __nv_fp8_e8m0((long long)value) {}
  GRIDSPAN_METHOD explicit __nv_fp8_e8m0(const int value) : __nv_fp8_e8m0((double)value) {}
  GRIDSPAN_METHOD explicit __nv_fp8_e8m0(const unsigned int value) : __nv_fp8_e8m0((double)value) {}
  GRIDSPAN_METHOD explicit __nv_fp8_e8m0(const short value) : __nv_fp8_e8m0((double)value) {}
  GRIDSPAN_METHOD explicit __nv_fp8_e8m0(const unsigned short value)
      : __nv_fp8_e8m0((double)value) {}

  GRIDSPAN_METHOD explicit operator __nv_bfloat16() const {
    return __nv_bfloat16(__nv_cvt_e8m0_to_bf16raw(__x));
  }
  GRIDSPAN_METHOD explicit operator float() const {
    return gridspan_small_float::wide(__nv_bfloat16(*this));
  }
  GRIDSPAN_METHOD explicit operator double() const { return (double)float(*this); }
  GRIDSPAN_METHOD explicit operator __half() const { return __float2half(float(*this)); }
  GRIDSPAN_METHOD explicit operator bool() const { return true; }  // no scale is 0
  // Toward zero; clamped to the type; NaN is zero.
#define GRIDSPAN_TO(type)                                   \
  GRIDSPAN_METHOD explicit operator type() const {          \
    return gridspan_small_float::whole<type>(float(*this)); \
  }
  GRIDSPAN_TO(signed char)
  GRIDSPAN_TO(char)
  GRIDSPAN_TO(unsigned char)
  GRIDSPAN_TO(short)
  GRIDSPAN_TO(unsigned short)
  GRIDSPAN_TO(int)
  GRIDSPAN_TO(unsigned int)
  GRIDSPAN_TO(long)
  GRIDSPAN_TO(unsigned long)
  GRIDSPAN_TO(long long)
  GRIDSPAN_TO(unsigned long long)
#undef GRIDSPAN_TO
};

struct __nv_fp8x2_e8m0 {
  __nv_fp8x2_storage_t __x;

  __nv_fp8x2_e8m0() = default;
  GRIDSPAN_METHOD explicit __nv_fp8x2_e8m0(const double2 pair)
      : __x(__nv_cvt_double2_to_e8m0x2(pair, __NV_SATFINITE, cudaRoundPosInf)) {}
  GRIDSPAN_METHOD explicit __nv_fp8x2_e8m0(const float2 pair)
      : __x(__nv_cvt_float2_to_e8m0x2(pair, __NV_SATFINITE, cudaRoundPosInf)) {}
  GRIDSPAN_METHOD explicit __nv_fp8x2_e8m0(const __half2 pair)
      : __nv_fp8x2_e8m0(
            float2{gridspan_small_float::wide(pair.x), gridspan_small_float::wide(pair.y)}) {}
  GRIDSPAN_METHOD explicit __nv_fp8x2_e8m0(const __nv_bfloat162 pair)
      : __nv_fp8x2_e8m0(
            float2{gridspan_small_float::wide(pair.x), gridspan_small_float::wide(pair.y)}) {}

  GRIDSPAN_METHOD explicit operator __nv_bfloat162() const {
    return __nv_bfloat162(__nv_cvt_e8m0x2_to_bf162raw(__x));
  }
  GRIDSPAN_METHOD explicit operator float2() const {
    const __nv_bfloat162 pair = __nv_bfloat162(*this);
    return float2{gridspan_small_float::wide(pair.x), gridspan_small_float::wide(pair.y)};
  }
  GRIDSPAN_METHOD explicit operator __half2() const { return __float22half2_rn(float2(*this)); }
};

struct __nv_fp8x4_e8m0 {
  __nv_fp8x4_storage_t __x;

  __nv_fp8x4_e8m0() = default;
  GRIDSPAN_METHOD explicit __nv_fp8x4_e8m0(const __half2 low, const __half2 high)
      : __x(joined(__nv_fp8x2_e8m0(low), __nv_fp8x2_e8m0(high))) {}
  GRIDSPAN_METHOD explicit __nv_fp8x4_e8m0(const __nv_bfloat162 low, const __nv_bfloat162 high)
      : __x(joined(__nv_fp8x2_e8m0(low), __nv_fp8x2_e8m0(high))) {}
  GRIDSPAN_METHOD explicit __nv_fp8x4_e8m0(const float4 four)
      : __x(joined(__nv_fp8x2_e8m0(float2{four.x, four.y}),
                   __nv_fp8x2_e8m0(float2{four.z, four.w}))) {}
  GRIDSPAN_METHOD explicit __nv_fp8x4_e8m0(const double4 four)
      : __x(joined(__nv_fp8x2_e8m0(double2{four.x, four.y}),
                   __nv_fp8x2_e8m0(double2{four.z, four.w}))) {}

  GRIDSPAN_METHOD explicit operator float4() const {
    __nv_fp8x2_e8m0 low, high;
    low.__x = (__nv_fp8x2_storage_t)__x;
    high.__x = (__nv_fp8x2_storage_t)(__x >> 16);
    const float2 first = float2(low), second = float2(high);
    return float4{first.x, first.y, second.x, second.y};
  }

 private:
  GRIDSPAN_METHOD static __nv_fp8x4_storage_t joined(const __nv_fp8x2_e8m0 low,
                                                     const __nv_fp8x2_e8m0 high) {
    return (__nv_fp8x4_storage_t)high.__x << 16 | low.__x;
  }
};

#undef GRIDSPAN_METHOD
