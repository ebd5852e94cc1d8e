// The device part, with C linkage to the outside.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel.h"

__global__ void square(int* data) { data[threadIdx.x] *= data[threadIdx.x]; }

int square_all(int* host, int n) {
  int* device;
  cudaMalloc(&device, n * sizeof(int));
  cudaMemcpy(device, host, n * sizeof(int), cudaMemcpyHostToDevice);
  square<<<1, n>>>(device);
  cudaMemcpy(host, device, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(device);
  return (int)cudaGetLastError();
}
