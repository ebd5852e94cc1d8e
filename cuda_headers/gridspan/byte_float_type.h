// The classes of one, two and four floating-point numbers of 8, 6 or 4 bits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included once for each format, with GRIDSPAN_BYTE, GRIDSPAN_BYTE_2, GRIDSPAN_BYTE_4 (the classes)
// and GRIDSPAN_INTERPRETATION defined, which are undefined at the end. The header of a size defines
// GRIDSPAN_STORAGE, GRIDSPAN_STORAGE_2, GRIDSPAN_STORAGE_4 (what they hold), GRIDSPAN_PAIR_BITS,
// GRIDSPAN_MAGNITUDE (the bits but the sign), GRIDSPAN_NARROW(real, value), GRIDSPAN_NARROW_2(pair,
// value), GRIDSPAN_WIDEN(x) and GRIDSPAN_WIDEN_2(x) (to half precision).

#define GRIDSPAN_METHOD \
  __inline__ __attribute__((always_inline)) GRIDSPAN_NO_DEBUG __host__ __device__

struct GRIDSPAN_BYTE {
  GRIDSPAN_STORAGE __x;

  GRIDSPAN_BYTE() = default;
#define GRIDSPAN_FROM(type, real)                          \
  GRIDSPAN_METHOD explicit GRIDSPAN_BYTE(const type value) \
      : __x(GRIDSPAN_NARROW(real, (real)value)) {}
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

  GRIDSPAN_METHOD explicit operator __half() const { return GRIDSPAN_WIDEN(__x); }
  GRIDSPAN_METHOD explicit operator float() const {
    return gridspan_small_float::wide(__half(*this));
  }
  GRIDSPAN_METHOD explicit operator __nv_bfloat16() const { return __float2bfloat16(float(*this)); }
  GRIDSPAN_METHOD explicit operator double() const { return (double)float(*this); }
  GRIDSPAN_METHOD explicit operator bool() const { return (__x & GRIDSPAN_MAGNITUDE) != 0; }
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
  GRIDSPAN_STORAGE_2 __x;

  GRIDSPAN_BYTE_2() = default;
  GRIDSPAN_METHOD explicit GRIDSPAN_BYTE_2(const double2 pair)
      : __x(GRIDSPAN_NARROW_2(double2, pair)) {}
  GRIDSPAN_METHOD explicit GRIDSPAN_BYTE_2(const float2 pair)
      : __x(GRIDSPAN_NARROW_2(float2, pair)) {}
  GRIDSPAN_METHOD explicit GRIDSPAN_BYTE_2(const __half2 pair)
      : GRIDSPAN_BYTE_2(
            float2{gridspan_small_float::wide(pair.x), gridspan_small_float::wide(pair.y)}) {}
  GRIDSPAN_METHOD explicit GRIDSPAN_BYTE_2(const __nv_bfloat162 pair)
      : GRIDSPAN_BYTE_2(
            float2{gridspan_small_float::wide(pair.x), gridspan_small_float::wide(pair.y)}) {}

  GRIDSPAN_METHOD explicit operator __half2() const { return GRIDSPAN_WIDEN_2(__x); }
  GRIDSPAN_METHOD explicit operator float2() const {
    const __half2 pair = __half2(*this);
    return __half22float2(pair);
  }
};

struct GRIDSPAN_BYTE_4 {
  GRIDSPAN_STORAGE_4 __x;

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
    low.__x = (GRIDSPAN_STORAGE_2)__x;
    high.__x = (GRIDSPAN_STORAGE_2)(__x >> GRIDSPAN_PAIR_BITS);
    const float2 first = float2(low), second = float2(high);
    return float4{first.x, first.y, second.x, second.y};
  }

 private:
  GRIDSPAN_METHOD static GRIDSPAN_STORAGE_4 joined(const GRIDSPAN_BYTE_2 low,
                                                   const GRIDSPAN_BYTE_2 high) {
    return (GRIDSPAN_STORAGE_4)((unsigned int)high.__x << GRIDSPAN_PAIR_BITS | low.__x);
  }
};

#undef GRIDSPAN_METHOD
#undef GRIDSPAN_BYTE
#undef GRIDSPAN_BYTE_2
#undef GRIDSPAN_BYTE_4
#undef GRIDSPAN_INTERPRETATION
