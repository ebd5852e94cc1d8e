// The kernel, and the host code that sets the constant of another file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pieces.h"

#include <vector>

static __global__ void scale(int n, float* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = scaled(x[i]);
}

int count_scaled(int n, float factor) {
  std::vector<float> x(n);
  for (int i = 0; i < n; ++i) x[i] = float(i % 1000);
  float* device = nullptr;
  const std::size_t bytes = n * sizeof(float);
  if (cudaMalloc(&device, bytes) != cudaSuccess) return -1;
  if (cudaMemcpyToSymbol(the_factor, &factor, sizeof factor) != cudaSuccess) return -1;
  cudaMemcpy(device, x.data(), bytes, cudaMemcpyHostToDevice);
  scale<<<(n + 127) / 128, 128>>>(n, device);
  if (cudaMemcpy(x.data(), device, bytes, cudaMemcpyDeviceToHost) != cudaSuccess) return -1;
  int right = 0;
  for (int i = 0; i < n; ++i) right += x[i] == factor * float(i % 1000);
  cudaFree(device);
  return right;
}
