// Arithmetic on pairs of floats (sm_100).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../vector_types.h"
#include "device_arithmetic.h"
#include "device_macros.h"

#if GRIDSPAN_ARCH_AT_LEAST(1000)
#define GRIDSPAN_PAIRS(rounding)                                                       \
  GRIDSPAN_DEVICE float2 __ffma2_##rounding(float2 a, float2 b, float2 c) {            \
    return float2{__fmaf_##rounding(a.x, b.x, c.x), __fmaf_##rounding(a.y, b.y, c.y)}; \
  }                                                                                    \
  GRIDSPAN_DEVICE float2 __fadd2_##rounding(float2 a, float2 b) {                      \
    return float2{__fadd_##rounding(a.x, b.x), __fadd_##rounding(a.y, b.y)};           \
  }                                                                                    \
  GRIDSPAN_DEVICE float2 __fmul2_##rounding(float2 a, float2 b) {                      \
    return float2{__fmul_##rounding(a.x, b.x), __fmul_##rounding(a.y, b.y)};           \
  }
GRIDSPAN_PAIRS(rn)
GRIDSPAN_PAIRS(rz)
GRIDSPAN_PAIRS(ru)
GRIDSPAN_PAIRS(rd)
#undef GRIDSPAN_PAIRS
#endif
