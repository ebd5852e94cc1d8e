// threadIdx, blockIdx, blockDim, gridDim, warpSize.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each variable is an empty object whose fields are properties: reading one is a call of the
// llvm.nvvm.read.ptx.sreg.* intrinsic. Copies are allowed (`auto t = threadIdx;`), because a copy
// reads the same registers of the same thread.
#pragma once

#include "../vector_types.h"
#include "device_macros.h"

#define GRIDSPAN_REGISTER(field, intrinsic)                                               \
  __declspec(property(get = __gridspan_get_##field)) unsigned int field;                  \
  static __inline__ __attribute__((                                                       \
      always_inline, __nodebug__)) __device__ unsigned int __gridspan_get_##field(void) { \
    return intrinsic();                                                                   \
  }
#define GRIDSPAN_BUILTIN_VARIABLE(variable, reg)                                    \
  struct __gridspan_##variable {                                                    \
    GRIDSPAN_REGISTER(x, __nvvm_read_ptx_sreg_##reg##_x)                            \
    GRIDSPAN_REGISTER(y, __nvvm_read_ptx_sreg_##reg##_y)                            \
    GRIDSPAN_REGISTER(z, __nvvm_read_ptx_sreg_##reg##_z)                            \
    __attribute__((always_inline, __nodebug__)) __device__ operator dim3() const {  \
      return dim3(x, y, z);                                                         \
    }                                                                               \
    __attribute__((always_inline, __nodebug__)) __device__ operator uint3() const { \
      uint3 v = {x, y, z};                                                          \
      return v;                                                                     \
    }                                                                               \
  };                                                                                \
  extern const __device__ __attribute__((weak)) struct __gridspan_##variable variable;

GRIDSPAN_BUILTIN_VARIABLE(threadIdx, tid)
GRIDSPAN_BUILTIN_VARIABLE(blockIdx, ctaid)
GRIDSPAN_BUILTIN_VARIABLE(blockDim, ntid)
GRIDSPAN_BUILTIN_VARIABLE(gridDim, nctaid)

#undef GRIDSPAN_REGISTER
#undef GRIDSPAN_BUILTIN_VARIABLE

__device__ const int warpSize = 32;
