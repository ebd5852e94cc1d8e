// Dynamic programming (DPX): sums, minima and maxima of three, clipped at zero, with the choice
// made. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "device_macros.h"

#define GRIDSPAN_LESS(x, y) ((x) < (y) ? (x) : (y))
#define GRIDSPAN_MORE(x, y) ((x) > (y) ? (x) : (y))
/// x + y wraps in the lane's width; `lane` is its type.
#define GRIDSPAN_SUM(lane, x, y) ((lane)((unsigned int)(x) + (unsigned int)(y)))

// Functions of one number of 32 bits, and of the two halves of a word.
#define GRIDSPAN_DPX_3(name, lane, expression)                               \
  GRIDSPAN_HOST_DEVICE lane name(const lane a, const lane b, const lane c) { \
    const lane x = a, y = b, z = c;                                          \
    return expression;                                                       \
  }
#define GRIDSPAN_DPX_3_HALVES(name, lane, expression)                                    \
  GRIDSPAN_HOST_DEVICE unsigned int name(const unsigned int a, const unsigned int b,     \
                                         const unsigned int c) {                         \
    unsigned int result = 0;                                                             \
    for (int shift = 0; shift < 32; shift += 16) {                                       \
      const lane x = (lane)(a >> shift), y = (lane)(b >> shift), z = (lane)(c >> shift); \
      result |= (unsigned int)(unsigned short)(expression) << shift;                     \
    }                                                                                    \
    return result;                                                                       \
  }
#define GRIDSPAN_DPX_CLIPPED(value) GRIDSPAN_MORE(value, 0)
#define GRIDSPAN_DPX_EACH(name, expression_of)                                       \
  GRIDSPAN_DPX_3(name##_s32, int, expression_of(int))                                \
  GRIDSPAN_DPX_3(name##_u32, unsigned int, expression_of(unsigned int))              \
  GRIDSPAN_DPX_3(name##_s32_relu, int, GRIDSPAN_DPX_CLIPPED(expression_of(int)))     \
  GRIDSPAN_DPX_3_HALVES(name##_s16x2, short, expression_of(short))                   \
  GRIDSPAN_DPX_3_HALVES(name##_u16x2, unsigned short, expression_of(unsigned short)) \
  GRIDSPAN_DPX_3_HALVES(name##_s16x2_relu, short, GRIDSPAN_DPX_CLIPPED(expression_of(short)))

#define GRIDSPAN_DPX_MAX3(lane) GRIDSPAN_MORE(GRIDSPAN_MORE(x, y), z)
#define GRIDSPAN_DPX_MIN3(lane) GRIDSPAN_LESS(GRIDSPAN_LESS(x, y), z)
#define GRIDSPAN_DPX_ADD_MAX(lane) GRIDSPAN_MORE(GRIDSPAN_SUM(lane, x, y), z)
#define GRIDSPAN_DPX_ADD_MIN(lane) GRIDSPAN_LESS(GRIDSPAN_SUM(lane, x, y), z)
GRIDSPAN_DPX_EACH(__vimax3, GRIDSPAN_DPX_MAX3)
GRIDSPAN_DPX_EACH(__vimin3, GRIDSPAN_DPX_MIN3)
GRIDSPAN_DPX_EACH(__viaddmax, GRIDSPAN_DPX_ADD_MAX)
GRIDSPAN_DPX_EACH(__viaddmin, GRIDSPAN_DPX_ADD_MIN)

GRIDSPAN_HOST_DEVICE int __vimax_s32_relu(const int a, const int b) {
  return __vimax3_s32_relu(a, b, b);
}
GRIDSPAN_HOST_DEVICE int __vimin_s32_relu(const int a, const int b) {
  return __vimin3_s32_relu(a, b, b);
}
GRIDSPAN_HOST_DEVICE unsigned int __vimax_s16x2_relu(const unsigned int a, const unsigned int b) {
  return __vimax3_s16x2_relu(a, b, b);
}
GRIDSPAN_HOST_DEVICE unsigned int __vimin_s16x2_relu(const unsigned int a, const unsigned int b) {
  return __vimin3_s16x2_relu(a, b, b);
}

// The predicate says whether a was taken; equal numbers take a.
#define GRIDSPAN_DPX_CHOICE(name, lane, operation)                                      \
  GRIDSPAN_HOST_DEVICE lane name(const lane a, const lane b, bool* const takes_first) { \
    *takes_first = a operation b;                                                       \
    return *takes_first ? a : b;                                                        \
  }
#define GRIDSPAN_DPX_CHOICE_HALVES(name, lane, operation)                            \
  GRIDSPAN_HOST_DEVICE unsigned int name(const unsigned int a, const unsigned int b, \
                                         bool* const high, bool* const low) {        \
    *low = (lane)a operation(lane) b;                                                \
    *high = (lane)(a >> 16) operation(lane)(b >> 16);                                \
    return ((*high ? a : b) & 0xffff0000u) | ((*low ? a : b) & 0xffffu);             \
  }
GRIDSPAN_DPX_CHOICE(__vibmax_s32, int, >=)
GRIDSPAN_DPX_CHOICE(__vibmax_u32, unsigned int, >=)
GRIDSPAN_DPX_CHOICE(__vibmin_s32, int, <=)
GRIDSPAN_DPX_CHOICE(__vibmin_u32, unsigned int, <=)
GRIDSPAN_DPX_CHOICE_HALVES(__vibmax_s16x2, short, >=)
GRIDSPAN_DPX_CHOICE_HALVES(__vibmax_u16x2, unsigned short, >=)
GRIDSPAN_DPX_CHOICE_HALVES(__vibmin_s16x2, short, <=)
GRIDSPAN_DPX_CHOICE_HALVES(__vibmin_u16x2, unsigned short, <=)

#undef GRIDSPAN_DPX_CHOICE_HALVES
#undef GRIDSPAN_DPX_CHOICE
#undef GRIDSPAN_DPX_ADD_MIN
#undef GRIDSPAN_DPX_ADD_MAX
#undef GRIDSPAN_DPX_MIN3
#undef GRIDSPAN_DPX_MAX3
#undef GRIDSPAN_DPX_EACH
#undef GRIDSPAN_DPX_CLIPPED
#undef GRIDSPAN_DPX_3_HALVES
#undef GRIDSPAN_DPX_3
#undef GRIDSPAN_SUM
#undef GRIDSPAN_MORE
#undef GRIDSPAN_LESS
