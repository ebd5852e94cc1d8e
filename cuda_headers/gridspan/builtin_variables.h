// threadIdx, blockIdx, blockDim, gridDim, warpSize.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device compiler knows these variables by their names and makes registers of them. Each thread
// has objects of its own: that their addresses are no constants makes lambdas capture references to
// them, as with nvcc. A program may have a constant warpSize of its own.
#pragma once

#include "../vector_types.h"
#include "device_macros.h"

extern __thread __constant__ const uint3 threadIdx;
extern __thread __constant__ const uint3 blockIdx;
extern __thread __constant__ const dim3 blockDim;
extern __thread __constant__ const dim3 gridDim;
// The host's copy of a __constant__ variable has no value, that of a program's own constant does.
#ifdef __CUDA_ARCH__
extern __constant__ const int warpSize;
#else
extern const int warpSize;
#endif
