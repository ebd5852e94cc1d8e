// Kernels of a module.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
extern "C" __global__ void scale(int* values, int factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= factor;
}

extern "C" __global__ void add(int* values, int amount, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] += amount;
}

/// Goes on until the count has come to `last`.
extern "C" __global__ void count(int* counter, int last, unsigned long long condition) {
  cudaGraphSetConditional(condition, ++*counter < last);
}
