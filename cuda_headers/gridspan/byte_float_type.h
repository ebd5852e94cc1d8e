// The classes of one, two and four 8-bit floating-point numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included once for each format, with GRIDSPAN_BYTE, GRIDSPAN_BYTE_2, GRIDSPAN_BYTE_4 and
// GRIDSPAN_INTERPRETATION defined; they are undefined at the end.

#define GRIDSPAN_METHOD __inline__ __attribute__((always_inline, __nodebug__)) __host__ __device__

struct GRIDSPAN_BYTE {
  __nv_fp8_storage_t __x;

  GRIDSPAN_BYTE() = default;
#define GRIDSPAN_FROM(type, real)                          \
  GRIDSPAN_METHOD explicit GRIDSPAN_BYTE(const type value) \
      : __x(__nv_cvt_##real##_to_fp8((real)value, __NV_SATFINITE, GRIDSPAN_INTERPRETATION)) {}
  GRIDSPAN_FROM(float, float)
  GRIDSPAN_FROM(double, double)
  GRIDSPAN_FROM(short, float)
  GRIDSPAN_FROM(unsigned short, float)
  GRIDSPAN_FROM(int, double)
  GRIDSPAN_FROM(unsigned int, double)
  // Far beyond the largest number before a double loses anything.
  GRIDSPAN_FROM(long, double)
  GRIDSPAN_FROM(unsigned long, double)
  GRIDSPAN_FROM(long long, double)
  GRIDSPAN_FROM(unsigned long long, double)
#undef GRIDSPAN_FROM
  GRIDSPAN_METHOD explicit GRIDSPAN_BYTE(const __half value)
      : GRIDSPAN_BYTE(gridspan_small_float::wide(value)) {}
  GRIDSPAN_METHOD explicit GRIDSPAN_BYTE(const __nv_bfloat16 value)
      : GRIDSPAN_BYTE(gridspan_small_float::wide(value)) {}

  GRIDSPAN_METHOD explicit operator __half() const {
    return __half(__nv_cvt_fp8_to_halfraw(__x, GRIDSPAN_INTERPRETATION));
  }
  GRIDSPAN_METHOD explicit operator float() const {
    return gridspan_small_float::wide(__half(*this));
  }
  GRIDSPAN_METHOD explicit operator __nv_bfloat16() const { return __float2bfloat16(float(*this)); }
  GRIDSPAN_METHOD explicit operator double() const { return (double)float(*this); }
  GRIDSPAN_METHOD explicit operator bool() const { return (__x & 0x7f) != 0; }
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

struct GRIDSPAN_BYTE_2 {
  __nv_fp8x2_storage_t __x;

  GRIDSPAN_BYTE_2() = default;
  GRIDSPAN_METHOD explicit GRIDSPAN_BYTE_2(const double2 pair)
      : __x(__nv_cvt_double2_to_fp8x2(pair, __NV_SATFINITE, GRIDSPAN_INTERPRETATION)) {}
  GRIDSPAN_METHOD explicit GRIDSPAN_BYTE_2(const float2 pair)
      : __x(__nv_cvt_float2_to_fp8x2(pair, __NV_SATFINITE, GRIDSPAN_INTERPRETATION)) {}
  GRIDSPAN_METHOD explicit GRIDSPAN_BYTE_2(const __half2 pair)
      : GRIDSPAN_BYTE_2(
            float2{gridspan_small_float::wide(pair.x), gridspan_small_float::wide(pair.y)}) {}
  GRIDSPAN_METHOD explicit GRIDSPAN_BYTE_2(const __nv_bfloat162 pair)
      : GRIDSPAN_BYTE_2(
            float2{gridspan_small_float::wide(pair.x), gridspan_small_float::wide(pair.y)}) {}

  GRIDSPAN_METHOD explicit operator __half2() const {
    return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, GRIDSPAN_INTERPRETATION));
  }
  GRIDSPAN_METHOD explicit operator float2() const {
    const __half2 pair = __half2(*this);
    return __half22float2(pair);
  }
};

struct GRIDSPAN_BYTE_4 {
  __nv_fp8x4_storage_t __x;

  GRIDSPAN_BYTE_4() = default;
  GRIDSPAN_METHOD explicit GRIDSPAN_BYTE_4(const __half2 low, const __half2 high)
      : __x(joined(GRIDSPAN_BYTE_2(low), GRIDSPAN_BYTE_2(high))) {}
  GRIDSPAN_METHOD explicit GRIDSPAN_BYTE_4(const __nv_bfloat162 low, const __nv_bfloat162 high)
      : __x(joined(GRIDSPAN_BYTE_2(low), GRIDSPAN_BYTE_2(high))) {}
  GRIDSPAN_METHOD explicit GRIDSPAN_BYTE_4(const float4 four)
      : __x(joined(GRIDSPAN_BYTE_2(float2{four.x, four.y}),
                   GRIDSPAN_BYTE_2(float2{four.z, four.w}))) {}
  GRIDSPAN_METHOD explicit GRIDSPAN_BYTE_4(const double4 four)
      : __x(joined(GRIDSPAN_BYTE_2(double2{four.x, four.y}),
                   GRIDSPAN_BYTE_2(double2{four.z, four.w}))) {}

  GRIDSPAN_METHOD explicit operator float4() const {
    GRIDSPAN_BYTE_2 low, high;
    low.__x = (__nv_fp8x2_storage_t)__x;
    high.__x = (__nv_fp8x2_storage_t)(__x >> 16);
    const float2 first = float2(low), second = float2(high);
    return float4{first.x, first.y, second.x, second.y};
  }

 private:
  GRIDSPAN_METHOD static __nv_fp8x4_storage_t joined(const GRIDSPAN_BYTE_2 low,
                                                     const GRIDSPAN_BYTE_2 high) {
    return (__nv_fp8x4_storage_t)high.__x << 16 | low.__x;
  }
};

#undef GRIDSPAN_METHOD
#undef GRIDSPAN_BYTE
#undef GRIDSPAN_BYTE_2
#undef GRIDSPAN_BYTE_4
#undef GRIDSPAN_INTERPRETATION
