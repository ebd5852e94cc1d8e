// Behind a variable of the device, with another one next to it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: device_variable\.cu:16:\d+: error: kernel 'fill\(int\)', block \[0,0,0\], thread \[10,0,0\]: write of 4 bytes at 0x[0-9a-f]+, 0 bytes behind the end of variable 'first', 40 bytes at 0x[0-9a-f]+$
// EXPECT: note: 1 more thread does the same$
// EXPECT: finished: an illegal memory access was encountered$
#include <cstdio>


__device__ int first[10];
__device__ int second[10];

__global__ void fill(int n) {
  const int i = threadIdx.x;
  if (i < n) first[i] = i;
  second[i % 10] = i;
}

int main() {
  fill<<<1, 32>>>(12);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
