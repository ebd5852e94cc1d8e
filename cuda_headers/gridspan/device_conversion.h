// Conversions between number types with an explicit rounding, and reinterpreting casts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Float to integer saturates. NaN becomes 0 from float to 32 bits, else the top bit alone, as in
// PTX.
#pragma once

#include <__clang_cuda_libdevice_declares.h>

#include "device_macros.h"

#define GRIDSPAN_CONVERT(result, name, type) \
  GRIDSPAN_DEVICE result __##name(type x) { return __nv_##name(x); }
#define GRIDSPAN_CONVERT_ALL(result, name, type) \
  GRIDSPAN_CONVERT(result, name##_rn, type)      \
  GRIDSPAN_CONVERT(result, name##_rz, type)      \
  GRIDSPAN_CONVERT(result, name##_ru, type)      \
  GRIDSPAN_CONVERT(result, name##_rd, type)

GRIDSPAN_CONVERT_ALL(int, float2int, float)
GRIDSPAN_CONVERT_ALL(unsigned int, float2uint, float)
GRIDSPAN_CONVERT_ALL(long long, float2ll, float)
GRIDSPAN_CONVERT_ALL(unsigned long long, float2ull, float)
GRIDSPAN_CONVERT_ALL(int, double2int, double)
GRIDSPAN_CONVERT_ALL(unsigned int, double2uint, double)
GRIDSPAN_CONVERT_ALL(long long, double2ll, double)
GRIDSPAN_CONVERT_ALL(unsigned long long, double2ull, double)
GRIDSPAN_CONVERT_ALL(float, double2float, double)
GRIDSPAN_CONVERT_ALL(float, int2float, int)
GRIDSPAN_CONVERT_ALL(float, uint2float, unsigned int)
GRIDSPAN_CONVERT_ALL(float, ll2float, long long)
GRIDSPAN_CONVERT_ALL(float, ull2float, unsigned long long)
GRIDSPAN_CONVERT_ALL(double, ll2double, long long)
GRIDSPAN_CONVERT_ALL(double, ull2double, unsigned long long)
GRIDSPAN_CONVERT(double, int2double_rn, int)
GRIDSPAN_CONVERT(double, uint2double_rn, unsigned int)

#undef GRIDSPAN_CONVERT_ALL
#undef GRIDSPAN_CONVERT

#define GRIDSPAN_REINTERPRET(to, name, from)  \
  GRIDSPAN_DEVICE to __##name(from x) {       \
    to result;                                \
    __builtin_memcpy(&result, &x, sizeof(x)); \
    return result;                            \
  }
GRIDSPAN_REINTERPRET(int, float_as_int, float)
GRIDSPAN_REINTERPRET(unsigned int, float_as_uint, float)
GRIDSPAN_REINTERPRET(float, int_as_float, int)
GRIDSPAN_REINTERPRET(float, uint_as_float, unsigned int)
GRIDSPAN_REINTERPRET(long long, double_as_longlong, double)
GRIDSPAN_REINTERPRET(double, longlong_as_double, long long)
#undef GRIDSPAN_REINTERPRET

GRIDSPAN_DEVICE int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
GRIDSPAN_DEVICE int __double2loint(double x) { return (int)__double_as_longlong(x); }
GRIDSPAN_DEVICE double __hiloint2double(int high, int low) {
  return __longlong_as_double(
      (long long)((unsigned long long)(unsigned int)high << 32 | (unsigned int)low));
}
