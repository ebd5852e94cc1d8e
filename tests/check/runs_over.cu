// A vector of which the last half is behind the allocation.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: runs_over\.cu:11:\d+: error: kernel 'copy\(float4 const\*, float4\*\)', block \[0,0,0\], thread \[3,0,0\]: read of 16 bytes at 0x[0-9a-f]+, running 8 bytes over the end of the 56 bytes at 0x[0-9a-f]+$
// EXPECT: runs_over\.cu:15: note: the 56 bytes at 0x[0-9a-f]+ are allocated by cudaMalloc, called in main$
// EXPECT: finished: an illegal memory access was encountered$
#include <cstdio>


__global__ void copy(const float4* from, float4* to) { to[threadIdx.x] = from[threadIdx.x]; }

int main() {
  float4 *from = nullptr, *to = nullptr;
  cudaMalloc(&from, 3 * sizeof(float4) + 8);
  cudaMalloc(&to, 4 * sizeof(float4));
  copy<<<1, 4>>>(from, to);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
