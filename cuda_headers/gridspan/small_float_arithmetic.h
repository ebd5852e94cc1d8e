// Arithmetic, comparisons and functions of a 16-bit floating-point format and of pairs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included once for each format (see small_float_type.h). Sums, products, quotients and roots of
// floats rounded to 16 bits are the correctly rounded ones: a float has more than twice the digits.

#define GRIDSPAN_UNARY(name, expression)                               \
  GRIDSPAN_HOST_DEVICE GRIDSPAN_NUMBER name(const GRIDSPAN_NUMBER a) { \
    const float x = gridspan_small_float::wide(a);                     \
    return gridspan_small_float::rounded(expression, a);               \
  }
#define GRIDSPAN_BINARY(name, expression)                                                       \
  GRIDSPAN_HOST_DEVICE GRIDSPAN_NUMBER name(const GRIDSPAN_NUMBER a, const GRIDSPAN_NUMBER b) { \
    const float x = gridspan_small_float::wide(a), y = gridspan_small_float::wide(b);           \
    return gridspan_small_float::rounded(expression, a);                                        \
  }
#define GRIDSPAN_PAIR_OF_UNARY(name, scalar)                       \
  GRIDSPAN_HOST_DEVICE GRIDSPAN_PAIR name(const GRIDSPAN_PAIR a) { \
    return GRIDSPAN_PAIR(scalar(a.x), scalar(a.y));                \
  }
#define GRIDSPAN_PAIR_OF_BINARY(name, scalar)                                             \
  GRIDSPAN_HOST_DEVICE GRIDSPAN_PAIR name(const GRIDSPAN_PAIR a, const GRIDSPAN_PAIR b) { \
    return GRIDSPAN_PAIR(scalar(a.x, b.x), scalar(a.y, b.y));                             \
  }

namespace gridspan_small_float {
GRIDSPAN_HOST_DEVICE bool is_nan(const GRIDSPAN_NUMBER& a) {
  return (a.__x & 0x7fffu) > GRIDSPAN_FORMAT::infinity;
}
GRIDSPAN_HOST_DEVICE GRIDSPAN_NUMBER saturated(const GRIDSPAN_NUMBER& a) {
  const float x = wide(a);
  return rounded(x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f, a);
}
GRIDSPAN_HOST_DEVICE GRIDSPAN_NUMBER fused(const GRIDSPAN_NUMBER& a, const GRIDSPAN_NUMBER& b,
                                           const GRIDSPAN_NUMBER& c) {
  using Product = GRIDSPAN_FORMAT::Product;
  return rounded(fused_to_odd<GRIDSPAN_FORMAT::ProductBits, Product>(wide(a), wide(b), wide(c)), a);
}
/// Zeros are ordered: -0 is less than +0. One NaN loses, two make one.
GRIDSPAN_HOST_DEVICE GRIDSPAN_NUMBER lesser(const GRIDSPAN_NUMBER& a, const GRIDSPAN_NUMBER& b) {
  if (is_nan(a)) return is_nan(b) ? with_bits(GRIDSPAN_FORMAT::nan, a) : b;
  if (is_nan(b)) return a;
  if (wide(a) == wide(b)) return a.__x >> 15 ? a : b;
  return wide(a) < wide(b) ? a : b;
}
GRIDSPAN_HOST_DEVICE GRIDSPAN_NUMBER greater(const GRIDSPAN_NUMBER& a, const GRIDSPAN_NUMBER& b) {
  if (is_nan(a)) return is_nan(b) ? with_bits(GRIDSPAN_FORMAT::nan, a) : b;
  if (is_nan(b)) return a;
  if (wide(a) == wide(b)) return a.__x >> 15 ? b : a;
  return wide(a) > wide(b) ? a : b;
}
}  // namespace gridspan_small_float

#define GRIDSPAN_ARITHMETIC(name, sign)            \
  GRIDSPAN_BINARY(__h##name, x sign y)             \
  GRIDSPAN_BINARY(__h##name##_rn, x sign y)        \
  GRIDSPAN_PAIR_OF_BINARY(__h##name##2, __h##name) \
  GRIDSPAN_PAIR_OF_BINARY(__h##name##2_rn, __h##name)
GRIDSPAN_ARITHMETIC(add, +)
GRIDSPAN_ARITHMETIC(sub, -)
GRIDSPAN_ARITHMETIC(mul, *)
#undef GRIDSPAN_ARITHMETIC
GRIDSPAN_BINARY(__hdiv, x / y)
GRIDSPAN_PAIR_OF_BINARY(__h2div, __hdiv)

#define GRIDSPAN_SATURATED(name, scalar)                                          \
  GRIDSPAN_HOST_DEVICE GRIDSPAN_NUMBER __h##name##_sat(const GRIDSPAN_NUMBER a,   \
                                                       const GRIDSPAN_NUMBER b) { \
    return gridspan_small_float::saturated(scalar(a, b));                         \
  }                                                                               \
  GRIDSPAN_PAIR_OF_BINARY(__h##name##2_sat, __h##name##_sat)
GRIDSPAN_SATURATED(add, __hadd)
GRIDSPAN_SATURATED(sub, __hsub)
GRIDSPAN_SATURATED(mul, __hmul)
#undef GRIDSPAN_SATURATED

GRIDSPAN_HOST_DEVICE GRIDSPAN_NUMBER __hneg(const GRIDSPAN_NUMBER a) {
  return gridspan_small_float::with_bits(a.__x ^ 0x8000u, a);
}
GRIDSPAN_HOST_DEVICE GRIDSPAN_NUMBER __habs(const GRIDSPAN_NUMBER a) {
  return gridspan_small_float::with_bits(a.__x & 0x7fffu, a);
}
GRIDSPAN_PAIR_OF_UNARY(__hneg2, __hneg)
GRIDSPAN_PAIR_OF_UNARY(__habs2, __habs)

#define GRIDSPAN_FUSED(suffix, finish)                                                             \
  GRIDSPAN_HOST_DEVICE GRIDSPAN_NUMBER __hfma##suffix(                                             \
      const GRIDSPAN_NUMBER a, const GRIDSPAN_NUMBER b, const GRIDSPAN_NUMBER c) {                 \
    return finish(gridspan_small_float::fused(a, b, c));                                           \
  }                                                                                                \
  GRIDSPAN_HOST_DEVICE GRIDSPAN_PAIR __hfma2##suffix(const GRIDSPAN_PAIR a, const GRIDSPAN_PAIR b, \
                                                     const GRIDSPAN_PAIR c) {                      \
    return GRIDSPAN_PAIR(__hfma##suffix(a.x, b.x, c.x), __hfma##suffix(a.y, b.y, c.y));            \
  }
namespace gridspan_small_float {
/// max(a, 0); NaN stays.
GRIDSPAN_HOST_DEVICE GRIDSPAN_NUMBER relu(const GRIDSPAN_NUMBER a) {
  return is_nan(a) ? with_bits(GRIDSPAN_FORMAT::nan, a) : wide(a) > 0.0f ? a : with_bits(0, a);
}
}  // namespace gridspan_small_float
GRIDSPAN_FUSED(, )
GRIDSPAN_FUSED(_sat, gridspan_small_float::saturated)
GRIDSPAN_FUSED(_relu, gridspan_small_float::relu)
#undef GRIDSPAN_FUSED
/// (a.x + a.y i) * (b.x + b.y i) + c.
GRIDSPAN_HOST_DEVICE GRIDSPAN_PAIR __hcmadd(const GRIDSPAN_PAIR a, const GRIDSPAN_PAIR b,
                                            const GRIDSPAN_PAIR c) {
  return GRIDSPAN_PAIR(__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)),
                       __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}

// Comparisons. Those ending in u are true if a number is NaN.
GRIDSPAN_HOST_DEVICE bool __hisnan(const GRIDSPAN_NUMBER a) {
  return gridspan_small_float::is_nan(a);
}
/// -1 and 1 for the infinities.
GRIDSPAN_HOST_DEVICE int __hisinf(const GRIDSPAN_NUMBER a) {
  if ((a.__x & 0x7fffu) != gridspan_small_float::GRIDSPAN_FORMAT::infinity) return 0;
  return a.__x >> 15 ? -1 : 1;
}
#define GRIDSPAN_COMPARE(name, condition)                                                         \
  GRIDSPAN_HOST_DEVICE bool __h##name(const GRIDSPAN_NUMBER a, const GRIDSPAN_NUMBER b) {         \
    const float x = gridspan_small_float::wide(a), y = gridspan_small_float::wide(b);             \
    return condition;                                                                             \
  }                                                                                               \
  GRIDSPAN_HOST_DEVICE bool __hb##name##2(const GRIDSPAN_PAIR a, const GRIDSPAN_PAIR b) {         \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                            \
  }                                                                                               \
  GRIDSPAN_HOST_DEVICE GRIDSPAN_PAIR __h##name##2(const GRIDSPAN_PAIR a, const GRIDSPAN_PAIR b) { \
    return GRIDSPAN_PAIR(gridspan_small_float::rounded(__h##name(a.x, b.x) ? 1.0f : 0.0f, a.x),   \
                         gridspan_small_float::rounded(__h##name(a.y, b.y) ? 1.0f : 0.0f, a.x));  \
  }                                                                                               \
  GRIDSPAN_HOST_DEVICE unsigned int __h##name##2_mask(const GRIDSPAN_PAIR a,                      \
                                                      const GRIDSPAN_PAIR b) {                    \
    return (__h##name(a.x, b.x) ? 0xffffu : 0u) | (__h##name(a.y, b.y) ? 0xffff0000u : 0u);       \
  }
GRIDSPAN_COMPARE(eq, x == y)
GRIDSPAN_COMPARE(ne, x<y || x> y)
GRIDSPAN_COMPARE(lt, x < y)
GRIDSPAN_COMPARE(le, x <= y)
GRIDSPAN_COMPARE(gt, x > y)
GRIDSPAN_COMPARE(ge, x >= y)
GRIDSPAN_COMPARE(equ, !(x < y || x > y))
GRIDSPAN_COMPARE(neu, x != y)
GRIDSPAN_COMPARE(ltu, !(x >= y))
GRIDSPAN_COMPARE(leu, !(x > y))
GRIDSPAN_COMPARE(gtu, !(x <= y))
GRIDSPAN_COMPARE(geu, !(x < y))
#undef GRIDSPAN_COMPARE
GRIDSPAN_HOST_DEVICE GRIDSPAN_PAIR __hisnan2(const GRIDSPAN_PAIR a) {
  return GRIDSPAN_PAIR(gridspan_small_float::rounded(__hisnan(a.x) ? 1.0f : 0.0f, a.x),
                       gridspan_small_float::rounded(__hisnan(a.y) ? 1.0f : 0.0f, a.x));
}

#define GRIDSPAN_CHOICE(name, chosen)                                                        \
  GRIDSPAN_HOST_DEVICE GRIDSPAN_NUMBER __h##name(const GRIDSPAN_NUMBER a,                    \
                                                 const GRIDSPAN_NUMBER b) {                  \
    return gridspan_small_float::chosen(a, b);                                               \
  }                                                                                          \
  GRIDSPAN_HOST_DEVICE GRIDSPAN_NUMBER __h##name##_nan(const GRIDSPAN_NUMBER a,              \
                                                       const GRIDSPAN_NUMBER b) {            \
    if (__hisnan(a) || __hisnan(b))                                                          \
      return gridspan_small_float::with_bits(gridspan_small_float::GRIDSPAN_FORMAT::nan, a); \
    return gridspan_small_float::chosen(a, b);                                               \
  }                                                                                          \
  GRIDSPAN_PAIR_OF_BINARY(__h##name##2, __h##name)                                           \
  GRIDSPAN_PAIR_OF_BINARY(__h##name##2_nan, __h##name##_nan)
GRIDSPAN_CHOICE(min, lesser)
GRIDSPAN_CHOICE(max, greater)
#undef GRIDSPAN_CHOICE

#define GRIDSPAN_FUNCTION(name, expression) \
  GRIDSPAN_UNARY(h##name, expression)       \
  GRIDSPAN_PAIR_OF_UNARY(h2##name, h##name)
GRIDSPAN_FUNCTION(sqrt, ::sqrtf(x))
GRIDSPAN_FUNCTION(rsqrt, 1.0 / ::sqrt((double)x))
GRIDSPAN_FUNCTION(rcp, 1.0f / x)
GRIDSPAN_FUNCTION(exp, ::expf(x))
GRIDSPAN_FUNCTION(exp2, ::exp2f(x))
GRIDSPAN_FUNCTION(exp10, ::exp10f(x))
GRIDSPAN_FUNCTION(log, ::logf(x))
GRIDSPAN_FUNCTION(log2, ::log2f(x))
GRIDSPAN_FUNCTION(log10, ::log10f(x))
GRIDSPAN_FUNCTION(sin, ::sinf(x))
GRIDSPAN_FUNCTION(cos, ::cosf(x))
GRIDSPAN_FUNCTION(tanh, ::tanhf(x))
GRIDSPAN_FUNCTION(tanh_approx, ::tanhf(x))
GRIDSPAN_FUNCTION(floor, ::floorf(x))
GRIDSPAN_FUNCTION(ceil, ::ceilf(x))
GRIDSPAN_FUNCTION(trunc, ::truncf(x))
GRIDSPAN_FUNCTION(rint, ::rintf(x))
#undef GRIDSPAN_FUNCTION

#undef GRIDSPAN_UNARY
#undef GRIDSPAN_BINARY
#undef GRIDSPAN_PAIR_OF_UNARY
#undef GRIDSPAN_PAIR_OF_BINARY
