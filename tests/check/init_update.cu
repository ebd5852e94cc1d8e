// An atomic operation on a counter that nobody cleared.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 0
// STEP: GRIDSPAN_THREADS=1 GRIDSPAN_CPU=interpret GRIDSPAN_CHECK=init %t => 0
// EXPECT: init_update\.cu:11:\d+: warning: kernel 'count\(unsigned int\*\)', block \[0,0,0\], thread \[0,0,0\]: atomic access of 4 bytes at 0x[0-9a-f]+, which nobody has written, 0 bytes inside the 4 bytes at 0x[0-9a-f]+$
// EXPECT: init_update\.cu:15: note: the 4 bytes at 0x[0-9a-f]+ are allocated by cudaMalloc, called in main$
// REFUSE: more times
#include <cstdio>


__global__ void count(unsigned* counter) { atomicAdd(counter, 1u); }

int main() {
  unsigned* counter = nullptr;
  cudaMalloc(&counter, sizeof(unsigned));
  count<<<2, 32>>>(counter);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
