// A library with a kernel, as projects have them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "saxpy.h"

#include <cuda_runtime.h>

__global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

int count_right(int n) {
  float *x = nullptr, *y = nullptr;
  if (cudaMallocManaged(&x, n * sizeof(float)) != cudaSuccess) return -1;
  if (cudaMallocManaged(&y, n * sizeof(float)) != cudaSuccess) return -1;
  for (int i = 0; i < n; ++i) {
    x[i] = float(i % 1000);
    y[i] = float(i % 7);
  }
  saxpy<<<(n + 127) / 128, 128>>>(n, 3.0f, x, y);
  if (cudaDeviceSynchronize() != cudaSuccess) return -1;
  int right = 0;
  for (int i = 0; i < n; ++i) right += y[i] == 3.0f * float(i % 1000) + float(i % 7);
  cudaFree(x);
  cudaFree(y);
  return right;
}
