// The standard headers every CUDA source sees, in the order clang's CUDA overlay needs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../crt/host_defines.h"
#include "device_macros.h"

// clang's overlays below ask which CUDA they serve; programs ask too.
#ifndef CUDA_VERSION
#define CUDA_VERSION 12050
#endif

// Before <cmath>: constexpr functions of the C++ library would otherwise become __host__ __device__
// and could not be overloaded for the device any more.
#include <__clang_cuda_math_forward_declares.h>

// Before <new>, whose device operator new calls malloc, and before <cstdlib> and <cstring>, whose
// using declarations take the device's overloads into std, too.
extern "C" {
__device__ int printf(const char* format, ...);
__device__ void free(void* pointer) __attribute__((nothrow));
__device__ void* malloc(__SIZE_TYPE__ size) __attribute__((nothrow, malloc));
}
GRIDSPAN_DEVICE void* memcpy(void* to, const void* from, __SIZE_TYPE__ count) {
  return __builtin_memcpy(to, from, count);
}
GRIDSPAN_DEVICE void* memmove(void* to, const void* from, __SIZE_TYPE__ count) {
  return __builtin_memmove(to, from, count);
}
GRIDSPAN_DEVICE void* memset(void* to, int value, __SIZE_TYPE__ count) {
  return __builtin_memset(to, value, count);
}

#include <assert.h>
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmath>
#include <cstdlib>
