// The C math library for GPUs, by its names: libclc's functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What our functions for CPUs leave to the C library (../transcendental.cpp and others) ends here
// on a GPU; make_gpu_library.py brings libclc's code into the same file. Those functions of libclc
// are not here that are slow, miss CUDA's bounds for errors (tests/unit/device_library), or that it
// has not: the other files of this folder are those.
#include "gpu.h"

// libclc's functions are C++'s by name: _Z3sinf, _Z3sind, with the length of the name in front.
#define CLC1(length, name)                                        \
  double clc_##name(double) __asm__("_Z" #length #name "d");      \
  float clc_##name(float) __asm__("_Z" #length #name "f");        \
  DEVICE_FUNCTION double name(double x) { return clc_##name(x); } \
  DEVICE_FUNCTION float name##f(float x) { return clc_##name(x); }
#define CLC2(length, name)                                                     \
  double clc_##name(double, double) __asm__("_Z" #length #name "dd");          \
  float clc_##name(float, float) __asm__("_Z" #length #name "ff");             \
  DEVICE_FUNCTION double name(double x, double y) { return clc_##name(x, y); } \
  DEVICE_FUNCTION float name##f(float x, float y) { return clc_##name(x, y); }

#define CLC2_FLOAT(length, name)                                   \
  float clc_##name(float, float) __asm__("_Z" #length #name "ff"); \
  DEVICE_FUNCTION float name##f(float x, float y) { return clc_##name(x, y); }
#define CLC_FLOAT(length, name)                            \
  float clc_##name(float) __asm__("_Z" #length #name "f"); \
  DEVICE_FUNCTION float name##f(float x) { return clc_##name(x); }
#define CLC2_DOUBLE(length, name)                                     \
  double clc_##name(double, double) __asm__("_Z" #length #name "dd"); \
  DEVICE_FUNCTION double name(double x, double y) { return clc_##name(x, y); }

CLC2_FLOAT(5, atan2)
CLC_FLOAT(5, expm1)
CLC1(4, logb)
CLC2_DOUBLE(3, pow)
CLC2(5, hypot)
CLC2(9, nextafter)

double clc_lgamma_r(double, int*) __asm__("_Z8lgamma_rdPi");
DEVICE_FUNCTION double lgamma_r(double x, int* sign) { return clc_lgamma_r(x, sign); }
