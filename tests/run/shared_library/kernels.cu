// Kernels of a shared library; compiled twice with different numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_runtime.h>

static __device__ int calls = NUMBER;

static __global__ void add(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += NUMBER;
  if (i == 0) ++calls;
}

extern "C" int CONCATENATED(int* device, int n) {
  add<<<(n + 63) / 64, 64>>>(device, n);
  int count = 0;
  if (cudaMemcpyFromSymbol(&count, calls, sizeof count) != cudaSuccess) return -1;
  return count;
}
