// Two blocks write one element; one block reads what another writes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 0
// STEP: GRIDSPAN_THREADS=1 GRIDSPAN_CPU=interpret GRIDSPAN_CHECK=race %t => 0
// EXPECT: race_blocks\.cu:17:\d+: warning: kernel 'write\(int\*\)', block \[1,0,0\], thread \[0,0,0\]: race in global memory: writes another value than thread \[0,0,0\] of block \[0,0,0\] writes at .*race_blocks\.cu:17:\d+, with no order in between: at 0x[0-9a-f]+, 12 bytes inside the 256 bytes at 0x[0-9a-f]+$
// EXPECT: race in global memory: (reads|overwrites) what thread
// EXPECT: race_blocks\.cu:27: note: the 256 bytes at 0x[0-9a-f]+ are allocated by cudaMalloc, called in main$
// EXPECT: finished: no error
// REFUSE: error:
// STEP: GRIDSPAN_CPU=interpret %t => 0
// EXPECT: finished
// REFUSE: race
#include <cstdio>


__global__ void write(int* a) {
  if (threadIdx.x == 0) a[3] = 10 + blockIdx.x;
}
__global__ void shift(int* a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int before = a[(i + 1) % n];
  a[i] = before + 1;
}

int main() {
  int* a = nullptr;
  cudaMalloc(&a, 64 * sizeof(int));
  cudaMemset(a, 0, 64 * sizeof(int));
  write<<<2, 32>>>(a);
  cudaMemset(a, 0, 64 * sizeof(int));
  shift<<<2, 32>>>(a, 64);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
