// 16-bit floating-point numbers for C and for C++ before C++11: their bits, to be passed on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <limits.h>
#include <stddef.h>

typedef struct {
  unsigned short x;
} __attribute__((aligned(2))) __half_raw;
typedef struct {
  unsigned short x, y;
} __attribute__((aligned(4))) __half2_raw;
typedef struct {
  unsigned short x;
} __attribute__((aligned(2))) __nv_bfloat16_raw;
typedef struct {
  unsigned short x, y;
} __attribute__((aligned(4))) __nv_bfloat162_raw;

#ifdef __cplusplus
/* The names of types are part of C++'s function names: these are structs of their own. */
struct __half : __half_raw {};
struct __half2 : __half2_raw {};
struct __nv_bfloat16 : __nv_bfloat16_raw {};
struct __nv_bfloat162 : __nv_bfloat162_raw {};
#else
typedef __half_raw __half;
typedef __half2_raw __half2;
typedef __nv_bfloat16_raw __nv_bfloat16;
typedef __nv_bfloat162_raw __nv_bfloat162;
#endif
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
