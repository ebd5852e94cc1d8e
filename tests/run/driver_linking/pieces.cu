// What kernels.cu uses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__device__ int calls = 5;
__device__ int twice(int x) { return 2 * x; }
