// SIMD within a word: two 16-bit or four 8-bit lanes of an unsigned int (__vadd2, __vabsdiffu4, …).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "device_macros.h"

// Defines name2 and name4: lane by lane, `expression` of the lanes' values x and y as int; s says
// signed lanes, u unsigned ones. `low` and `high` are the lane type's bounds.
#define GRIDSPAN_LANES(name, lane, bits, low_value, high_value, expression) \
  GRIDSPAN_DEVICE unsigned int name(unsigned int a, unsigned int b) {       \
    const int low = low_value, high = high_value;                           \
    (void)low, (void)high;                                                  \
    unsigned int result = 0;                                                \
    _Pragma("unroll") for (int shift = 0; shift < 32; shift += bits) {      \
      int x = (lane)(a >> shift), y = (lane)(b >> shift);                   \
      (void)x, (void)y;                                                     \
      result |= ((unsigned int)(expression) & ((1u << bits) - 1)) << shift; \
    }                                                                       \
    return result;                                                          \
  }
#define GRIDSPAN_SIGNED(name, expression)                       \
  GRIDSPAN_LANES(name##2, short, 16, -32768, 32767, expression) \
  GRIDSPAN_LANES(name##4, signed char, 8, -128, 127, expression)
#define GRIDSPAN_UNSIGNED(name, expression)                         \
  GRIDSPAN_LANES(name##2, unsigned short, 16, 0, 65535, expression) \
  GRIDSPAN_LANES(name##4, unsigned char, 8, 0, 255, expression)
#define GRIDSPAN_ONE(name, binary)                                                 \
  GRIDSPAN_DEVICE unsigned int name##2(unsigned int a) { return binary##2(0, a); } \
  GRIDSPAN_DEVICE unsigned int name##4(unsigned int a) { return binary##4(0, a); }
#define GRIDSPAN_CLAMP(value) ((value) < low ? low : (value) > high ? high : (value))

GRIDSPAN_UNSIGNED(__vadd, x + y)
GRIDSPAN_UNSIGNED(__vsub, x - y)
GRIDSPAN_ONE(__vneg, __vsub)
GRIDSPAN_SIGNED(__vaddss, GRIDSPAN_CLAMP(x + y))
GRIDSPAN_UNSIGNED(__vaddus, GRIDSPAN_CLAMP(x + y))
GRIDSPAN_SIGNED(__vsubss, GRIDSPAN_CLAMP(x - y))
GRIDSPAN_UNSIGNED(__vsubus, GRIDSPAN_CLAMP(x - y))
GRIDSPAN_ONE(__vnegss, __vsubss)

GRIDSPAN_SIGNED(__vabsdiffs, x > y ? x - y : y - x)
GRIDSPAN_UNSIGNED(__vabsdiffu, x > y ? x - y : y - x)
GRIDSPAN_ONE(__vabs, __vabsdiffs)
GRIDSPAN_SIGNED(__gridspan_vabsss, GRIDSPAN_CLAMP(y < 0 ? -y : y))
GRIDSPAN_ONE(__vabsss, __gridspan_vabsss)

// A half rounds away from zero in the signed average, up in the unsigned one, down in __vhaddu.
GRIDSPAN_SIGNED(__vavgs, (x + y + (x + y >= 0)) >> 1)
GRIDSPAN_UNSIGNED(__vavgu, (x + y + 1) >> 1)
GRIDSPAN_UNSIGNED(__vhaddu, (x + y) >> 1)
GRIDSPAN_SIGNED(__vmaxs, x > y ? x : y)
GRIDSPAN_UNSIGNED(__vmaxu, x > y ? x : y)
GRIDSPAN_SIGNED(__vmins, x < y ? x : y)
GRIDSPAN_UNSIGNED(__vminu, x < y ? x : y)

// __vcmp…: all ones where true; __vset…: one where true.
#define GRIDSPAN_COMPARE(name, sign, operation) \
  sign(__vcmp##name, (x operation y) ? -1 : 0) sign(__vset##name, (x operation y) ? 1 : 0)
GRIDSPAN_COMPARE(eq, GRIDSPAN_UNSIGNED, ==)
GRIDSPAN_COMPARE(ne, GRIDSPAN_UNSIGNED, !=)
GRIDSPAN_COMPARE(ges, GRIDSPAN_SIGNED, >=)
GRIDSPAN_COMPARE(geu, GRIDSPAN_UNSIGNED, >=)
GRIDSPAN_COMPARE(gts, GRIDSPAN_SIGNED, >)
GRIDSPAN_COMPARE(gtu, GRIDSPAN_UNSIGNED, >)
GRIDSPAN_COMPARE(les, GRIDSPAN_SIGNED, <=)
GRIDSPAN_COMPARE(leu, GRIDSPAN_UNSIGNED, <=)
GRIDSPAN_COMPARE(lts, GRIDSPAN_SIGNED, <)
GRIDSPAN_COMPARE(ltu, GRIDSPAN_UNSIGNED, <)

// Sums of the lanes' absolute differences.
#define GRIDSPAN_SUM2(name, differences)                              \
  GRIDSPAN_DEVICE unsigned int name(unsigned int a, unsigned int b) { \
    unsigned int d = differences(a, b);                               \
    return (d & 0xffffu) + (d >> 16);                                 \
  }
#define GRIDSPAN_SUM4(name, differences)                                   \
  GRIDSPAN_DEVICE unsigned int name(unsigned int a, unsigned int b) {      \
    unsigned int d = differences(a, b);                                    \
    return (d & 0xffu) + (d >> 8 & 0xffu) + (d >> 16 & 0xffu) + (d >> 24); \
  }
GRIDSPAN_SUM2(__vsads2, __vabsdiffs2)
GRIDSPAN_SUM2(__vsadu2, __vabsdiffu2)
GRIDSPAN_SUM4(__vsads4, __vabsdiffs4)
GRIDSPAN_SUM4(__vsadu4, __vabsdiffu4)

#undef GRIDSPAN_SUM4
#undef GRIDSPAN_SUM2
#undef GRIDSPAN_COMPARE
#undef GRIDSPAN_CLAMP
#undef GRIDSPAN_ONE
#undef GRIDSPAN_UNSIGNED
#undef GRIDSPAN_SIGNED
#undef GRIDSPAN_LANES
