// A C++ program without kernels of its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#include "kernels.h"

int main() {
  const int n = 1009;
  std::vector<float> host(n);
  for (int i = 0; i < n; ++i) host[i] = i;
  float* device = nullptr;
  if (cudaMalloc(&device, n * sizeof(float)) != cudaSuccess) return 2;
  cudaMemcpy(device, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  scale_on_device(device, n);
  if (cudaMemcpy(host.data(), device, n * sizeof(float), cudaMemcpyDeviceToHost) != cudaSuccess)
    return 3;
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += host[i] != 2.0f * i;
  std::printf("%d wrong\n", wrong);
  cudaFree(device);
  return wrong != 0;
}
