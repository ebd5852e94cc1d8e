// The operators of a 16-bit floating-point format and of pairs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included once for each format (see small_float_type.h); GRIDSPAN_NUMBER_OPERATORS and
// GRIDSPAN_PAIR_OPERATORS are 0 where the program wants none.

#define GRIDSPAN_OPERATORS(type, constant, add, sub, mul, div, neg)                       \
  GRIDSPAN_HOST_DEVICE type operator+(const type& a, const type& b) { return add(a, b); } \
  GRIDSPAN_HOST_DEVICE type operator-(const type& a, const type& b) { return sub(a, b); } \
  GRIDSPAN_HOST_DEVICE type operator*(const type& a, const type& b) { return mul(a, b); } \
  GRIDSPAN_HOST_DEVICE type operator/(const type& a, const type& b) { return div(a, b); } \
  GRIDSPAN_HOST_DEVICE type& operator+=(type& a, const type& b) { return a = add(a, b); } \
  GRIDSPAN_HOST_DEVICE type& operator-=(type& a, const type& b) { return a = sub(a, b); } \
  GRIDSPAN_HOST_DEVICE type& operator*=(type& a, const type& b) { return a = mul(a, b); } \
  GRIDSPAN_HOST_DEVICE type& operator/=(type& a, const type& b) { return a = div(a, b); } \
  GRIDSPAN_HOST_DEVICE type& operator++(type& a) { return a = add(a, constant); }         \
  GRIDSPAN_HOST_DEVICE type& operator--(type& a) { return a = sub(a, constant); }         \
  GRIDSPAN_HOST_DEVICE type operator++(type& a, int) {                                    \
    const type before = a;                                                                \
    ++a;                                                                                  \
    return before;                                                                        \
  }                                                                                       \
  GRIDSPAN_HOST_DEVICE type operator--(type& a, int) {                                    \
    const type before = a;                                                                \
    --a;                                                                                  \
    return before;                                                                        \
  }                                                                                       \
  GRIDSPAN_HOST_DEVICE type operator+(const type& a) { return a; }                        \
  GRIDSPAN_HOST_DEVICE type operator-(const type& a) { return neg(a); }
#if GRIDSPAN_NUMBER_OPERATORS
GRIDSPAN_OPERATORS(GRIDSPAN_NUMBER, gridspan_small_float::rounded(1.0f, a), __hadd, __hsub, __hmul,
                   __hdiv, __hneg)
#endif
#if GRIDSPAN_PAIR_OPERATORS
GRIDSPAN_OPERATORS(GRIDSPAN_PAIR, GRIDSPAN_SPLAT(gridspan_small_float::rounded(1.0f, a.x)), __hadd2,
                   __hsub2, __hmul2, __h2div, __hneg2)
#endif
#undef GRIDSPAN_OPERATORS

#define GRIDSPAN_COMPARISONS(type, eq, neu, lt, le, gt, ge)                                \
  GRIDSPAN_HOST_DEVICE bool operator==(const type& a, const type& b) { return eq(a, b); }  \
  GRIDSPAN_HOST_DEVICE bool operator!=(const type& a, const type& b) { return neu(a, b); } \
  GRIDSPAN_HOST_DEVICE bool operator<(const type& a, const type& b) { return lt(a, b); }   \
  GRIDSPAN_HOST_DEVICE bool operator<=(const type& a, const type& b) { return le(a, b); }  \
  GRIDSPAN_HOST_DEVICE bool operator>(const type& a, const type& b) { return gt(a, b); }   \
  GRIDSPAN_HOST_DEVICE bool operator>=(const type& a, const type& b) { return ge(a, b); }
#if GRIDSPAN_NUMBER_OPERATORS
GRIDSPAN_COMPARISONS(GRIDSPAN_NUMBER, __heq, __hneu, __hlt, __hle, __hgt, __hge)
#endif
#if GRIDSPAN_PAIR_OPERATORS
GRIDSPAN_COMPARISONS(GRIDSPAN_PAIR, __hbeq2, __hbneu2, __hblt2, __hble2, __hbgt2, __hbge2)
#endif
#undef GRIDSPAN_COMPARISONS
