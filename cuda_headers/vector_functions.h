// make_char1 … make_double4: one function per vector type.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Programs ask by this name whether the header has been included.
#define __VECTOR_FUNCTIONS_H__

#include "builtin_types.h"
#include "vector_types.h"

#define GRIDSPAN_MAKE static __inline__ __host__ __device__ __attribute__((unused))
#define GRIDSPAN_MAKE_VECTOR4(name, type, suffix)                                               \
  GRIDSPAN_MAKE struct name##4##suffix make_##name##4##suffix(type x, type y, type z, type w) { \
    struct name##4##suffix v = {x, y, z, w};                                                    \
    return v;                                                                                   \
  }
#define GRIDSPAN_MAKE_VECTORS(name, type)                               \
  GRIDSPAN_MAKE struct name##1 make_##name##1(type x) {                 \
    struct name##1 v = {x};                                             \
    return v;                                                           \
  }                                                                     \
  GRIDSPAN_MAKE struct name##2 make_##name##2(type x, type y) {         \
    struct name##2 v = {x, y};                                          \
    return v;                                                           \
  }                                                                     \
  GRIDSPAN_MAKE struct name##3 make_##name##3(type x, type y, type z) { \
    struct name##3 v = {x, y, z};                                       \
    return v;                                                           \
  }                                                                     \
  GRIDSPAN_MAKE_VECTOR4(name, type, )

GRIDSPAN_MAKE_VECTORS(char, signed char)
GRIDSPAN_MAKE_VECTORS(uchar, unsigned char)
GRIDSPAN_MAKE_VECTORS(short, short)
GRIDSPAN_MAKE_VECTORS(ushort, unsigned short)
GRIDSPAN_MAKE_VECTORS(int, int)
GRIDSPAN_MAKE_VECTORS(uint, unsigned int)
GRIDSPAN_MAKE_VECTORS(long, long int)
GRIDSPAN_MAKE_VECTORS(ulong, unsigned long int)
GRIDSPAN_MAKE_VECTORS(longlong, long long int)
GRIDSPAN_MAKE_VECTORS(ulonglong, unsigned long long int)
GRIDSPAN_MAKE_VECTORS(float, float)
GRIDSPAN_MAKE_VECTORS(double, double)

#define GRIDSPAN_MAKE_ALIGNED(name, type) \
  GRIDSPAN_MAKE_VECTOR4(name, type, _16a) \
  GRIDSPAN_MAKE_VECTOR4(name, type, _32a)
GRIDSPAN_MAKE_ALIGNED(long, long int)
GRIDSPAN_MAKE_ALIGNED(ulong, unsigned long int)
GRIDSPAN_MAKE_ALIGNED(longlong, long long int)
GRIDSPAN_MAKE_ALIGNED(ulonglong, unsigned long long int)
GRIDSPAN_MAKE_ALIGNED(double, double)
#undef GRIDSPAN_MAKE_ALIGNED

#undef GRIDSPAN_MAKE_VECTORS
#undef GRIDSPAN_MAKE_VECTOR4
#undef GRIDSPAN_MAKE
