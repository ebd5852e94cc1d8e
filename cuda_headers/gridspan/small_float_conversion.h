// Conversions of a 16-bit floating-point format, under the names each format has.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included once for each format (see small_float_type.h), with two more words for the names:
// GRIDSPAN_WORD (half, bfloat16) and GRIDSPAN_PAIR_WORD (half2, bfloat162), and with
// GRIDSPAN_SPLAT, the name of the function that makes a pair of one number.

#define GRIDSPAN_JOIN_(a, b, c) a##b##c
#define GRIDSPAN_JOIN(a, b, c) GRIDSPAN_JOIN_(a, b, c)

#define GRIDSPAN_ROUNDED_TO(from, type, suffix, rounding)                        \
  GRIDSPAN_HOST_DEVICE GRIDSPAN_NUMBER GRIDSPAN_JOIN(__##from##2, GRIDSPAN_WORD, \
                                                     suffix)(const type value) { \
    return gridspan_small_float::with_bits(                                      \
        gridspan_small_float::narrow<gridspan_small_float::GRIDSPAN_FORMAT>(     \
            value, gridspan_small_float::rounding),                              \
        GRIDSPAN_NUMBER());                                                      \
  }
GRIDSPAN_ROUNDED_TO(float, float, , nearest)
GRIDSPAN_ROUNDED_TO(float, float, _rn, nearest)
GRIDSPAN_ROUNDED_TO(float, float, _rz, toward_zero)
GRIDSPAN_ROUNDED_TO(float, float, _rd, downward)
GRIDSPAN_ROUNDED_TO(float, float, _ru, upward)
GRIDSPAN_ROUNDED_TO(double, double, , nearest)
#undef GRIDSPAN_ROUNDED_TO

#define GRIDSPAN_INTEGER_TO(from, type, suffix, rounding)                                  \
  GRIDSPAN_HOST_DEVICE GRIDSPAN_NUMBER GRIDSPAN_JOIN(__##from##2, GRIDSPAN_WORD,           \
                                                     suffix)(const type value) {           \
    return gridspan_small_float::with_bits(                                                \
        gridspan_small_float::narrow<gridspan_small_float::GRIDSPAN_FORMAT>(               \
            (double)gridspan_small_float::shorten(value), gridspan_small_float::rounding), \
        GRIDSPAN_NUMBER());                                                                \
  }
#define GRIDSPAN_INTEGER_FROM(to, type, suffix, function)                                  \
  GRIDSPAN_HOST_DEVICE type GRIDSPAN_JOIN(__, GRIDSPAN_WORD,                               \
                                          2##to##suffix)(const GRIDSPAN_NUMBER value) {    \
    return gridspan_small_float::whole<type>(function(gridspan_small_float::wide(value))); \
  }
#define GRIDSPAN_INTEGER(name, type)                \
  GRIDSPAN_INTEGER_TO(name, type, _rn, nearest)     \
  GRIDSPAN_INTEGER_TO(name, type, _rz, toward_zero) \
  GRIDSPAN_INTEGER_TO(name, type, _rd, downward)    \
  GRIDSPAN_INTEGER_TO(name, type, _ru, upward)      \
  GRIDSPAN_INTEGER_FROM(name, type, _rn, ::rintf)   \
  GRIDSPAN_INTEGER_FROM(name, type, _rz, ::truncf)  \
  GRIDSPAN_INTEGER_FROM(name, type, _rd, ::floorf)  \
  GRIDSPAN_INTEGER_FROM(name, type, _ru, ::ceilf)
GRIDSPAN_INTEGER(int, int)
GRIDSPAN_INTEGER(uint, unsigned int)
GRIDSPAN_INTEGER(short, short)
GRIDSPAN_INTEGER(ushort, unsigned short)
GRIDSPAN_INTEGER(ll, long long)
GRIDSPAN_INTEGER(ull, unsigned long long)
GRIDSPAN_INTEGER_FROM(char, signed char, _rz, ::truncf)
GRIDSPAN_INTEGER_FROM(uchar, unsigned char, _rz, ::truncf)
#undef GRIDSPAN_INTEGER
#undef GRIDSPAN_INTEGER_FROM
#undef GRIDSPAN_INTEGER_TO

GRIDSPAN_HOST_DEVICE float GRIDSPAN_JOIN(__, GRIDSPAN_WORD, 2float)(const GRIDSPAN_NUMBER a) {
  return gridspan_small_float::wide(a);
}
GRIDSPAN_HOST_DEVICE unsigned short GRIDSPAN_JOIN(__, GRIDSPAN_WORD,
                                                  _as_ushort)(const GRIDSPAN_NUMBER a) {
  return a.__x;
}
GRIDSPAN_HOST_DEVICE short GRIDSPAN_JOIN(__, GRIDSPAN_WORD, _as_short)(const GRIDSPAN_NUMBER a) {
  return (short)a.__x;
}
GRIDSPAN_HOST_DEVICE GRIDSPAN_NUMBER GRIDSPAN_JOIN(__ushort_as_,
                                                   GRIDSPAN_WORD, )(const unsigned short bits) {
  return gridspan_small_float::with_bits(bits, GRIDSPAN_NUMBER());
}
GRIDSPAN_HOST_DEVICE GRIDSPAN_NUMBER GRIDSPAN_JOIN(__short_as_, GRIDSPAN_WORD, )(const short bits) {
  return gridspan_small_float::with_bits((unsigned short)bits, GRIDSPAN_NUMBER());
}

// Pairs.
GRIDSPAN_HOST_DEVICE GRIDSPAN_PAIR GRIDSPAN_JOIN(make_,
                                                 GRIDSPAN_PAIR_WORD, )(const GRIDSPAN_NUMBER a,
                                                                       const GRIDSPAN_NUMBER b) {
  return GRIDSPAN_PAIR(a, b);
}
GRIDSPAN_HOST_DEVICE GRIDSPAN_PAIR GRIDSPAN_JOIN(__float2, GRIDSPAN_PAIR_WORD, _rn)(const float a) {
  return GRIDSPAN_PAIR(gridspan_small_float::rounded(a, GRIDSPAN_NUMBER()),
                       gridspan_small_float::rounded(a, GRIDSPAN_NUMBER()));
}
GRIDSPAN_HOST_DEVICE GRIDSPAN_PAIR GRIDSPAN_JOIN(__floats2, GRIDSPAN_PAIR_WORD,
                                                 _rn)(const float a, const float b) {
  return GRIDSPAN_PAIR(gridspan_small_float::rounded(a, GRIDSPAN_NUMBER()),
                       gridspan_small_float::rounded(b, GRIDSPAN_NUMBER()));
}
GRIDSPAN_HOST_DEVICE GRIDSPAN_PAIR GRIDSPAN_JOIN(__float22, GRIDSPAN_PAIR_WORD,
                                                 _rn)(const float2 a) {
  return GRIDSPAN_PAIR(gridspan_small_float::rounded(a.x, GRIDSPAN_NUMBER()),
                       gridspan_small_float::rounded(a.y, GRIDSPAN_NUMBER()));
}
GRIDSPAN_HOST_DEVICE float2 GRIDSPAN_JOIN(__, GRIDSPAN_PAIR_WORD, 2float2)(const GRIDSPAN_PAIR a) {
  return float2{gridspan_small_float::wide(a.x), gridspan_small_float::wide(a.y)};
}
GRIDSPAN_HOST_DEVICE GRIDSPAN_PAIR GRIDSPAN_SPLAT(const GRIDSPAN_NUMBER a) {
  return GRIDSPAN_PAIR(a, a);
}
GRIDSPAN_HOST_DEVICE GRIDSPAN_PAIR GRIDSPAN_JOIN(__halves2,
                                                 GRIDSPAN_PAIR_WORD, )(const GRIDSPAN_NUMBER a,
                                                                       const GRIDSPAN_NUMBER b) {
  return GRIDSPAN_PAIR(a, b);
}
GRIDSPAN_HOST_DEVICE GRIDSPAN_NUMBER GRIDSPAN_JOIN(__low2, GRIDSPAN_WORD, )(const GRIDSPAN_PAIR a) {
  return a.x;
}
GRIDSPAN_HOST_DEVICE GRIDSPAN_NUMBER GRIDSPAN_JOIN(__high2,
                                                   GRIDSPAN_WORD, )(const GRIDSPAN_PAIR a) {
  return a.y;
}
GRIDSPAN_HOST_DEVICE GRIDSPAN_PAIR GRIDSPAN_JOIN(__low2,
                                                 GRIDSPAN_PAIR_WORD, )(const GRIDSPAN_PAIR a) {
  return GRIDSPAN_PAIR(a.x, a.x);
}
GRIDSPAN_HOST_DEVICE GRIDSPAN_PAIR GRIDSPAN_JOIN(__high2,
                                                 GRIDSPAN_PAIR_WORD, )(const GRIDSPAN_PAIR a) {
  return GRIDSPAN_PAIR(a.y, a.y);
}
GRIDSPAN_HOST_DEVICE float __low2float(const GRIDSPAN_PAIR a) {
  return gridspan_small_float::wide(a.x);
}
GRIDSPAN_HOST_DEVICE float __high2float(const GRIDSPAN_PAIR a) {
  return gridspan_small_float::wide(a.y);
}
GRIDSPAN_HOST_DEVICE GRIDSPAN_PAIR __lowhigh2highlow(const GRIDSPAN_PAIR a) {
  return GRIDSPAN_PAIR(a.y, a.x);
}
GRIDSPAN_HOST_DEVICE GRIDSPAN_PAIR GRIDSPAN_JOIN(__lows2,
                                                 GRIDSPAN_PAIR_WORD, )(const GRIDSPAN_PAIR a,
                                                                       const GRIDSPAN_PAIR b) {
  return GRIDSPAN_PAIR(a.x, b.x);
}
GRIDSPAN_HOST_DEVICE GRIDSPAN_PAIR GRIDSPAN_JOIN(__highs2,
                                                 GRIDSPAN_PAIR_WORD, )(const GRIDSPAN_PAIR a,
                                                                       const GRIDSPAN_PAIR b) {
  return GRIDSPAN_PAIR(a.y, b.y);
}

#undef GRIDSPAN_JOIN
#undef GRIDSPAN_JOIN_
