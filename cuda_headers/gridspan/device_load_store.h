// Loads and stores with a cache hint (__ldg, __ldcs, __stcs, …).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hints steer GPU caches; the accesses themselves are plain. __ldcv and __stwt must see what
// others wrote and are volatile.
#pragma once

#include "../vector_types.h"
#include "device_macros.h"

#define GRIDSPAN_LOAD(name, type) \
  GRIDSPAN_DEVICE type name(const type* address) { return *address; }
#define GRIDSPAN_STORE(name, type) \
  GRIDSPAN_DEVICE void name(type* address, type value) { *address = value; }
#define GRIDSPAN_HINTED(type)  \
  GRIDSPAN_LOAD(__ldg, type)   \
  GRIDSPAN_LOAD(__ldca, type)  \
  GRIDSPAN_LOAD(__ldcg, type)  \
  GRIDSPAN_LOAD(__ldcs, type)  \
  GRIDSPAN_LOAD(__ldlu, type)  \
  GRIDSPAN_STORE(__stwb, type) \
  GRIDSPAN_STORE(__stcg, type) \
  GRIDSPAN_STORE(__stcs, type)
#define GRIDSPAN_SCALAR(type)                                                                 \
  GRIDSPAN_HINTED(type)                                                                       \
  GRIDSPAN_DEVICE type __ldcv(const type* address) { return *(const volatile type*)address; } \
  GRIDSPAN_DEVICE void __stwt(type* address, type value) { *(volatile type*)address = value; }
#define GRIDSPAN_PAIR(type)                                  \
  GRIDSPAN_HINTED(type)                                      \
  GRIDSPAN_DEVICE type __ldcv(const type* address) {         \
    type value = {__ldcv(&address->x), __ldcv(&address->y)}; \
    return value;                                            \
  }                                                          \
  GRIDSPAN_DEVICE void __stwt(type* address, type value) {   \
    __stwt(&address->x, value.x);                            \
    __stwt(&address->y, value.y);                            \
  }
#define GRIDSPAN_QUAD(type)                                                      \
  GRIDSPAN_HINTED(type)                                                          \
  GRIDSPAN_DEVICE type __ldcv(const type* address) {                             \
    type value = {__ldcv(&address->x), __ldcv(&address->y), __ldcv(&address->z), \
                  __ldcv(&address->w)};                                          \
    return value;                                                                \
  }                                                                              \
  GRIDSPAN_DEVICE void __stwt(type* address, type value) {                       \
    __stwt(&address->x, value.x);                                                \
    __stwt(&address->y, value.y);                                                \
    __stwt(&address->z, value.z);                                                \
    __stwt(&address->w, value.w);                                                \
  }
#define GRIDSPAN_SCALARS(type) GRIDSPAN_SCALAR(type) GRIDSPAN_SCALAR(unsigned type)

GRIDSPAN_SCALAR(signed char)
GRIDSPAN_SCALARS(char)
GRIDSPAN_SCALARS(short)
GRIDSPAN_SCALARS(int)
GRIDSPAN_SCALARS(long)
GRIDSPAN_SCALARS(long long)
GRIDSPAN_SCALAR(float)
GRIDSPAN_SCALAR(double)
GRIDSPAN_PAIR(char2)
GRIDSPAN_PAIR(uchar2)
GRIDSPAN_PAIR(short2)
GRIDSPAN_PAIR(ushort2)
GRIDSPAN_PAIR(int2)
GRIDSPAN_PAIR(uint2)
GRIDSPAN_PAIR(longlong2)
GRIDSPAN_PAIR(ulonglong2)
GRIDSPAN_PAIR(float2)
GRIDSPAN_PAIR(double2)
GRIDSPAN_QUAD(char4)
GRIDSPAN_QUAD(uchar4)
GRIDSPAN_QUAD(short4)
GRIDSPAN_QUAD(ushort4)
GRIDSPAN_QUAD(int4)
GRIDSPAN_QUAD(uint4)
GRIDSPAN_QUAD(float4)

#undef GRIDSPAN_SCALARS
#undef GRIDSPAN_QUAD
#undef GRIDSPAN_PAIR
#undef GRIDSPAN_SCALAR
#undef GRIDSPAN_HINTED
#undef GRIDSPAN_STORE
#undef GRIDSPAN_LOAD
