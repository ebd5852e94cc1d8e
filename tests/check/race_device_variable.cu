// Threads of two blocks that count in a variable of the device, without an atomic operation; a constant table is no race.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 0
// STEP: GRIDSPAN_THREADS=1 GRIDSPAN_CPU=interpret GRIDSPAN_CHECK=race %t => 0
// EXPECT: race_device_variable\.cu:22:\d+: warning: kernel 'count\(int const\*\)', block \[\d,0,0\], thread \[\d+,0,0\]: race in global memory: (reads|overwrites) what thread \[\d+,0,0\]( of block \[\d,0,0\])? (reads|writes) at .*race_device_variable\.cu:22:\d+, with no (order|barrier) in between: at 0x[0-9a-f]+, 0 bytes inside variable 'counter', 4 bytes at 0x[0-9a-f]+$
// EXPECT: race_device_variable\.cu:23:\d+: warning: kernel 'count\(int const\*\)', block \[1,0,0\], thread \[\d+,0,0\]: race in global memory: writes another value than thread \[\d+,0,0\] of block \[0,0,0\] writes at .*race_device_variable\.cu:23:\d+, with no order in between: at 0x[0-9a-f]+, \d+ bytes inside variable 'last', 28 bytes at 0x[0-9a-f]+$
// EXPECT: finished: no error
// REFUSE: error:
// REFUSE: weights
// REFUSE: right
// STEP: GRIDSPAN_CPU=interpret %t => 0
// EXPECT: finished
// REFUSE: race
#include <cstdio>

__device__ int counter;
__device__ int last[7];
__device__ int right;
__constant__ int weights[7] = {1, 2, 3, 4, 5, 6, 7};

__global__ void count(const int* x) {
  counter += x[threadIdx.x] * weights[x[threadIdx.x] % 7];
  last[threadIdx.x % 7] = 1 + int(blockIdx.x);
  atomicAdd(&right, 1);
}

int main() {
  int* x = nullptr;
  cudaMalloc(&x, 37 * sizeof(int));
  cudaMemset(x, 1, 37 * sizeof(int));
  count<<<2, 37>>>(x);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
