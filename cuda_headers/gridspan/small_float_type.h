// The class of a 16-bit floating-point number and of a pair of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included once for each format, with GRIDSPAN_NUMBER, GRIDSPAN_PAIR, GRIDSPAN_NUMBER_RAW,
// GRIDSPAN_PAIR_RAW and GRIDSPAN_FORMAT defined; undefined by small_float_end.h.

struct alignas(2) GRIDSPAN_NUMBER_RAW {
  unsigned short x;
};
struct alignas(4) GRIDSPAN_PAIR_RAW {
  unsigned short x, y;
};

#define GRIDSPAN_METHOD __inline__ __attribute__((always_inline, __nodebug__)) __host__ __device__

struct alignas(2) GRIDSPAN_NUMBER {
  unsigned short __x;

  GRIDSPAN_NUMBER() = default;
  GRIDSPAN_METHOD constexpr GRIDSPAN_NUMBER(const GRIDSPAN_NUMBER_RAW& raw) : __x(raw.x) {}
  GRIDSPAN_METHOD GRIDSPAN_NUMBER(float value)
      : __x(gridspan_small_float::narrow<gridspan_small_float::GRIDSPAN_FORMAT>(
            value, gridspan_small_float::nearest)) {}
  GRIDSPAN_METHOD GRIDSPAN_NUMBER(double value)
      : __x(gridspan_small_float::narrow<gridspan_small_float::GRIDSPAN_FORMAT>(
            value, gridspan_small_float::nearest)) {}
#define GRIDSPAN_FROM_INTEGER(type, wide) \
  GRIDSPAN_METHOD GRIDSPAN_NUMBER(type value) : GRIDSPAN_NUMBER((wide)value) {}
  GRIDSPAN_FROM_INTEGER(short, float)
  GRIDSPAN_FROM_INTEGER(unsigned short, float)
  GRIDSPAN_FROM_INTEGER(int, double)
  GRIDSPAN_FROM_INTEGER(unsigned int, double)
#undef GRIDSPAN_FROM_INTEGER
#define GRIDSPAN_FROM_WIDE_INTEGER(type)      \
  GRIDSPAN_METHOD GRIDSPAN_NUMBER(type value) \
      : GRIDSPAN_NUMBER((double)gridspan_small_float::shorten(value)) {}
  GRIDSPAN_FROM_WIDE_INTEGER(long)
  GRIDSPAN_FROM_WIDE_INTEGER(unsigned long)
  GRIDSPAN_FROM_WIDE_INTEGER(long long)
  GRIDSPAN_FROM_WIDE_INTEGER(unsigned long long)
#undef GRIDSPAN_FROM_WIDE_INTEGER

  GRIDSPAN_METHOD operator float() const {
    return gridspan_small_float::GRIDSPAN_FORMAT::widen(__x);
  }
  GRIDSPAN_METHOD constexpr operator GRIDSPAN_NUMBER_RAW() const {
    return GRIDSPAN_NUMBER_RAW{__x};
  }
  template <class T>
  GRIDSPAN_METHOD GRIDSPAN_NUMBER& operator=(T value) {
    __x = GRIDSPAN_NUMBER(value).__x;
    return *this;
  }
};

struct alignas(4) GRIDSPAN_PAIR {
  GRIDSPAN_NUMBER x, y;

  GRIDSPAN_PAIR() = default;
  GRIDSPAN_METHOD GRIDSPAN_PAIR(const GRIDSPAN_NUMBER& a, const GRIDSPAN_NUMBER& b) : x(a), y(b) {}
  GRIDSPAN_METHOD GRIDSPAN_PAIR(const GRIDSPAN_PAIR_RAW& raw) {
    x.__x = raw.x;
    y.__x = raw.y;
  }
  GRIDSPAN_METHOD operator GRIDSPAN_PAIR_RAW() const { return GRIDSPAN_PAIR_RAW{x.__x, y.__x}; }
};

#undef GRIDSPAN_METHOD
