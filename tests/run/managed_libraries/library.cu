// A library with managed variables, opened and closed by main.cu.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_runtime.h>

#ifdef SECOND_FILE
extern __managed__ int numbers[5001];
__managed__ int stride = 1000;
__global__ void other(int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) numbers[i] += stride;
}
#else
__managed__ int numbers[5001];
__managed__ int start = NUMBER;

__global__ void add(int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) numbers[i] += i + start;
}
extern "C" int* library_numbers() { return numbers; }
extern "C" int* library_start() { return &start; }
extern "C" cudaError_t library_run(int n) {
  add<<<(n + 99) / 100, 100>>>(n);
  return cudaDeviceSynchronize();
}
#endif
