// An array of the host program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: host_variable\.cu:13:\d+: error: kernel 'read\(int const\*, int\*\)', block \[0,0,0\], thread \[0,0,0\]: read of 4 bytes at 0x[0-9a-f]+, in (host memory \(.*\)|no device memory); \d+ bytes (before|behind)
// EXPECT: note: 49 more threads do the same$
// EXPECT: finished: an illegal memory access was encountered$
#include <cstdio>


int table[50];

__global__ void read(const int* from, int* to) { to[threadIdx.x] = from[threadIdx.x]; }

int main() {
  int* to = nullptr;
  cudaMalloc(&to, sizeof table);
  read<<<1, 50>>>(table, to);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
