// CUDA's built-in vector types (char1 … double4) and dim3.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes and alignments are CUDA's: a kernel and the host see the same bytes.
#pragma once

// Programs ask by this name whether the header has been included.
#define __VECTOR_TYPES_H__

#include "crt/host_defines.h"

#define GRIDSPAN_VECTOR1(name, type) \
  struct name##1 { type x; };        \
  typedef struct name##1 name##1;
#define GRIDSPAN_VECTOR2(name, type, align) \
  struct align name##2 { type x, y; };      \
  typedef struct name##2 name##2;
#define GRIDSPAN_VECTOR3(name, type) \
  struct name##3 { type x, y, z; };  \
  typedef struct name##3 name##3;
#define GRIDSPAN_VECTOR4(name, type, align, suffix)  \
  struct align name##4##suffix { type x, y, z, w; }; \
  typedef struct name##4##suffix name##4##suffix;
#define GRIDSPAN_VECTORS(name, type, align2, align4) \
  GRIDSPAN_VECTOR1(name, type)                       \
  GRIDSPAN_VECTOR2(name, type, __align__(align2))    \
  GRIDSPAN_VECTOR3(name, type)                       \
  GRIDSPAN_VECTOR4(name, type, __align__(align4), )

GRIDSPAN_VECTORS(char, signed char, 2, 4)
GRIDSPAN_VECTORS(uchar, unsigned char, 2, 4)
GRIDSPAN_VECTORS(short, short, 4, 8)
GRIDSPAN_VECTORS(ushort, unsigned short, 4, 8)
GRIDSPAN_VECTORS(int, int, 8, 16)
GRIDSPAN_VECTORS(uint, unsigned int, 8, 16)
GRIDSPAN_VECTORS(long, long int, 16, 16)
GRIDSPAN_VECTORS(ulong, unsigned long int, 16, 16)
GRIDSPAN_VECTORS(longlong, long long int, 16, 16)
GRIDSPAN_VECTORS(ulonglong, unsigned long long int, 16, 16)
GRIDSPAN_VECTORS(float, float, 8, 16)
GRIDSPAN_VECTORS(double, double, 16, 16)

// CUDA 13's names: the alignment is part of the name.
GRIDSPAN_VECTOR4(long, long int, __align__(16), _16a)
GRIDSPAN_VECTOR4(long, long int, __align__(32), _32a)
GRIDSPAN_VECTOR4(ulong, unsigned long int, __align__(16), _16a)
GRIDSPAN_VECTOR4(ulong, unsigned long int, __align__(32), _32a)
GRIDSPAN_VECTOR4(longlong, long long int, __align__(16), _16a)
GRIDSPAN_VECTOR4(longlong, long long int, __align__(32), _32a)
GRIDSPAN_VECTOR4(ulonglong, unsigned long long int, __align__(16), _16a)
GRIDSPAN_VECTOR4(ulonglong, unsigned long long int, __align__(32), _32a)
GRIDSPAN_VECTOR4(double, double, __align__(16), _16a)
GRIDSPAN_VECTOR4(double, double, __align__(32), _32a)

#undef GRIDSPAN_VECTOR1
#undef GRIDSPAN_VECTOR2
#undef GRIDSPAN_VECTOR3
#undef GRIDSPAN_VECTOR4
#undef GRIDSPAN_VECTORS

#if defined(__cplusplus) && __cplusplus >= 201103L
#define GRIDSPAN_CONSTEXPR constexpr
#else
#define GRIDSPAN_CONSTEXPR
#endif

struct dim3 {
  unsigned int x, y, z;
#if defined(__cplusplus)
  __host__ __device__ GRIDSPAN_CONSTEXPR dim3(unsigned int vx = 1, unsigned int vy = 1,
                                              unsigned int vz = 1)
      : x(vx), y(vy), z(vz) {}
  __host__ __device__ GRIDSPAN_CONSTEXPR dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
#if __cplusplus >= 201103L
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
#else
  __host__ __device__ operator uint3() const {
    uint3 v;
    v.x = x;
    v.y = y;
    v.z = z;
    return v;
  }
#endif
#endif
};
typedef struct dim3 dim3;
