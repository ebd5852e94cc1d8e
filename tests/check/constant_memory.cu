// Behind a table in constant memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: constant_memory\.cu:13:\d+: error: kernel 'weigh\(int const\*, float\*\)', block \[0,0,0\], thread \[2,0,0\]: read of 4 bytes at 0x[0-9a-f]+, 0 bytes behind the end of variable 'weights', 28 bytes at 0x[0-9a-f]+$
// EXPECT: note: 1 more thread does the same$
// EXPECT: finished: an illegal memory access was encountered$
#include <cstdio>


__constant__ float weights[7];

__global__ void weigh(const int* index, float* out) { out[threadIdx.x] = weights[index[threadIdx.x]]; }

int main() {
  const int host[4] = {0, 6, 7, -1};
  int* index = nullptr;
  float* out = nullptr;
  cudaMalloc(&index, sizeof host);
  cudaMalloc(&out, 16);
  cudaMemcpy(index, host, sizeof host, cudaMemcpyHostToDevice);
  weigh<<<1, 4>>>(index, out);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
