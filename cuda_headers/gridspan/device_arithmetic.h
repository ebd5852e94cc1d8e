// Arithmetic with an explicit rounding, and the fast approximations (__sinf, __expf, …).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rounded operations are calls, so no optimisation fuses a product with a following sum.
#pragma once

#include <__clang_cuda_libdevice_declares.h>

#include "device_macros.h"

#define GRIDSPAN_UNARY(type, name) \
  GRIDSPAN_DEVICE type __##name(type a) { return __nv_##name(a); }
#define GRIDSPAN_BINARY(type, name) \
  GRIDSPAN_DEVICE type __##name(type a, type b) { return __nv_##name(a, b); }
#define GRIDSPAN_TERNARY(type, name) \
  GRIDSPAN_DEVICE type __##name(type a, type b, type c) { return __nv_##name(a, b, c); }
#define GRIDSPAN_ROUNDED(kind, type, name) \
  kind(type, name##_rn) kind(type, name##_rz) kind(type, name##_ru) kind(type, name##_rd)

GRIDSPAN_ROUNDED(GRIDSPAN_BINARY, float, fadd)
GRIDSPAN_ROUNDED(GRIDSPAN_BINARY, float, fsub)
GRIDSPAN_ROUNDED(GRIDSPAN_BINARY, float, fmul)
GRIDSPAN_ROUNDED(GRIDSPAN_BINARY, float, fdiv)
GRIDSPAN_ROUNDED(GRIDSPAN_UNARY, float, frcp)
GRIDSPAN_ROUNDED(GRIDSPAN_UNARY, float, fsqrt)
GRIDSPAN_ROUNDED(GRIDSPAN_TERNARY, float, fmaf)
GRIDSPAN_ROUNDED(GRIDSPAN_TERNARY, float, fmaf_ieee)
GRIDSPAN_ROUNDED(GRIDSPAN_BINARY, double, dadd)
GRIDSPAN_ROUNDED(GRIDSPAN_BINARY, double, dsub)
GRIDSPAN_ROUNDED(GRIDSPAN_BINARY, double, dmul)
GRIDSPAN_ROUNDED(GRIDSPAN_BINARY, double, ddiv)
GRIDSPAN_ROUNDED(GRIDSPAN_UNARY, double, drcp)
GRIDSPAN_ROUNDED(GRIDSPAN_UNARY, double, dsqrt)
GRIDSPAN_ROUNDED(GRIDSPAN_TERNARY, double, fma)
GRIDSPAN_UNARY(float, frsqrt_rn)
GRIDSPAN_UNARY(float, saturatef)

#undef GRIDSPAN_UNARY
#undef GRIDSPAN_BINARY
#undef GRIDSPAN_TERNARY
#undef GRIDSPAN_ROUNDED

GRIDSPAN_DEVICE float __cosf(float x) { return __nv_fast_cosf(x); }
GRIDSPAN_DEVICE float __sinf(float x) { return __nv_fast_sinf(x); }
GRIDSPAN_DEVICE float __tanf(float x) { return __nv_fast_tanf(x); }
GRIDSPAN_DEVICE void __sincosf(float x, float* sine, float* cosine) {
  __nv_fast_sincosf(x, sine, cosine);
}
GRIDSPAN_DEVICE float __expf(float x) { return __nv_fast_expf(x); }
GRIDSPAN_DEVICE float __exp10f(float x) { return __nv_fast_exp10f(x); }
GRIDSPAN_DEVICE float __logf(float x) { return __nv_fast_logf(x); }
GRIDSPAN_DEVICE float __log2f(float x) { return __nv_fast_log2f(x); }
GRIDSPAN_DEVICE float __log10f(float x) { return __nv_fast_log10f(x); }
GRIDSPAN_DEVICE float __powf(float x, float y) { return __nv_fast_powf(x, y); }
GRIDSPAN_DEVICE float __fdividef(float x, float y) { return __nv_fast_fdividef(x, y); }
