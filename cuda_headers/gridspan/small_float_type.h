// The class of a 16-bit floating-point number and of a pair of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included once for each format, with GRIDSPAN_NUMBER, GRIDSPAN_PAIR, GRIDSPAN_NUMBER_RAW,
// GRIDSPAN_PAIR_RAW and GRIDSPAN_FORMAT defined, GRIDSPAN_OTHER_NUMBER, the other format's number,
// and GRIDSPAN_CONVERTS, 0 where the program wants no implicit conversions; undefined by
// small_float_end.h. Our own functions therefore convert by `wide` and `rounded` only.

struct alignas(2) GRIDSPAN_NUMBER_RAW {
  unsigned short x;
};
struct alignas(4) GRIDSPAN_PAIR_RAW {
  unsigned short x, y;
};

#define GRIDSPAN_METHOD \
  __inline__ __attribute__((always_inline)) GRIDSPAN_NO_DEBUG __host__ __device__

struct GRIDSPAN_OTHER_NUMBER;

struct alignas(2) GRIDSPAN_NUMBER {
  unsigned short __x;

  GRIDSPAN_NUMBER() = default;
  GRIDSPAN_METHOD constexpr GRIDSPAN_NUMBER(const GRIDSPAN_NUMBER_RAW& raw) : __x(raw.x) {}
  GRIDSPAN_METHOD constexpr operator GRIDSPAN_NUMBER_RAW() const {
    return GRIDSPAN_NUMBER_RAW{__x};
  }
  GRIDSPAN_METHOD operator GRIDSPAN_NUMBER_RAW() const volatile { return GRIDSPAN_NUMBER_RAW{__x}; }
  GRIDSPAN_METHOD GRIDSPAN_NUMBER& operator=(const GRIDSPAN_NUMBER_RAW& raw) {
    __x = raw.x;
    return *this;
  }
  GRIDSPAN_METHOD volatile GRIDSPAN_NUMBER& operator=(const GRIDSPAN_NUMBER_RAW& raw) volatile {
    __x = raw.x;
    return *this;
  }
  GRIDSPAN_METHOD volatile GRIDSPAN_NUMBER& operator=(
      const volatile GRIDSPAN_NUMBER_RAW& raw) volatile {
    __x = raw.x;
    return *this;
  }

#if GRIDSPAN_CONVERTS
  explicit GRIDSPAN_METHOD GRIDSPAN_NUMBER(const GRIDSPAN_OTHER_NUMBER other);
  GRIDSPAN_METHOD GRIDSPAN_NUMBER(float value)
      : __x(gridspan_small_float::narrow<gridspan_small_float::GRIDSPAN_FORMAT>(
            value, gridspan_small_float::nearest)) {}
  GRIDSPAN_METHOD GRIDSPAN_NUMBER(double value)
      : __x(gridspan_small_float::narrow<gridspan_small_float::GRIDSPAN_FORMAT>(
            value, gridspan_small_float::nearest)) {}
  GRIDSPAN_METHOD operator float() const {
    return gridspan_small_float::GRIDSPAN_FORMAT::widen(__x);
  }
  GRIDSPAN_METHOD GRIDSPAN_NUMBER& operator=(float value) { return *this = GRIDSPAN_NUMBER(value); }
  GRIDSPAN_METHOD GRIDSPAN_NUMBER& operator=(double value) {
    return *this = GRIDSPAN_NUMBER(value);
  }
#define GRIDSPAN_FROM_INTEGER(type, wide)                              \
  GRIDSPAN_METHOD GRIDSPAN_NUMBER(type value)                          \
      : GRIDSPAN_NUMBER((wide)gridspan_small_float::shorten(value)) {} \
  GRIDSPAN_METHOD GRIDSPAN_NUMBER& operator=(type value) { return *this = GRIDSPAN_NUMBER(value); }
#define GRIDSPAN_TO_INTEGER(type) \
  GRIDSPAN_METHOD operator type() const { return gridspan_small_float::whole<type>(float(*this)); }
  GRIDSPAN_FROM_INTEGER(short, float)
  GRIDSPAN_FROM_INTEGER(unsigned short, float)
  GRIDSPAN_FROM_INTEGER(int, double)
  GRIDSPAN_FROM_INTEGER(unsigned int, double)
  GRIDSPAN_FROM_INTEGER(long, double)
  GRIDSPAN_FROM_INTEGER(unsigned long, double)
  GRIDSPAN_FROM_INTEGER(long long, double)
  GRIDSPAN_FROM_INTEGER(unsigned long long, double)
  GRIDSPAN_TO_INTEGER(signed char)
  GRIDSPAN_TO_INTEGER(unsigned char)
  GRIDSPAN_TO_INTEGER(char)
  GRIDSPAN_TO_INTEGER(short)
  GRIDSPAN_TO_INTEGER(unsigned short)
  GRIDSPAN_TO_INTEGER(int)
  GRIDSPAN_TO_INTEGER(unsigned int)
  GRIDSPAN_TO_INTEGER(long)
  GRIDSPAN_TO_INTEGER(unsigned long)
  GRIDSPAN_TO_INTEGER(long long)
  GRIDSPAN_TO_INTEGER(unsigned long long)
#undef GRIDSPAN_FROM_INTEGER
#undef GRIDSPAN_TO_INTEGER
  GRIDSPAN_METHOD constexpr operator bool() const { return (__x & 0x7fffu) != 0; }
#endif
};

struct alignas(4) GRIDSPAN_PAIR {
  GRIDSPAN_NUMBER x, y;

  GRIDSPAN_PAIR() = default;
  GRIDSPAN_METHOD constexpr GRIDSPAN_PAIR(const GRIDSPAN_NUMBER& a, const GRIDSPAN_NUMBER& b)
      : x(a), y(b) {}
  GRIDSPAN_METHOD constexpr GRIDSPAN_PAIR(const GRIDSPAN_PAIR_RAW& raw)
      : x(GRIDSPAN_NUMBER_RAW{raw.x}), y(GRIDSPAN_NUMBER_RAW{raw.y}) {}
  GRIDSPAN_METHOD constexpr operator GRIDSPAN_PAIR_RAW() const {
    return GRIDSPAN_PAIR_RAW{x.__x, y.__x};
  }
  // A template, so that `pair = {}` is the pair's own assignment and no question.
  template <class Raw, int (*)[__is_same(Raw, GRIDSPAN_PAIR_RAW) ? 1 : -1] = nullptr>
  GRIDSPAN_METHOD GRIDSPAN_PAIR& operator=(const Raw& raw) {
    return *this = GRIDSPAN_PAIR(raw);
  }
};

#undef GRIDSPAN_METHOD

namespace gridspan_small_float {
GRIDSPAN_HOST_DEVICE GRIDSPAN_NUMBER with_bits(unsigned int bits, const GRIDSPAN_NUMBER&) {
  return GRIDSPAN_NUMBER(GRIDSPAN_NUMBER_RAW{(unsigned short)bits});
}
GRIDSPAN_HOST_DEVICE float wide(const GRIDSPAN_NUMBER& a) { return GRIDSPAN_FORMAT::widen(a.__x); }
/// To the nearest number of this format.
template <class Real>
GRIDSPAN_HOST_DEVICE GRIDSPAN_NUMBER rounded(Real value, const GRIDSPAN_NUMBER& a) {
  return with_bits(narrow<GRIDSPAN_FORMAT>(value, nearest), a);
}
}  // namespace gridspan_small_float
