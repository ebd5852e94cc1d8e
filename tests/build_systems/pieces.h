// A kernel, a device function and a constant in three files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// Runs the kernel on n numbers with the given factor; how many came out right, or -1.
int count_scaled(int n, float factor);

#ifdef __CUDACC__
__device__ float scaled(float x);      // pieces_function.cu
extern __constant__ float the_factor;  // pieces_constant.cu
#endif
