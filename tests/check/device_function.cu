// The line is that of a function that stays one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: device_function\.cu:12:\d+: error: kernel 'fill\(short\*, int\)', block \[0,0,0\], thread \[30,0,0\]: write of 2 bytes at 0x[0-9a-f]+, 0 bytes behind the end of the 62 bytes at 0x[0-9a-f]+$
// EXPECT: device_function\.cu:21: note: the 62 bytes at 0x[0-9a-f]+ are allocated by cudaMalloc, called in main$
// EXPECT: finished: an illegal memory access was encountered$
#include <cstdio>


__device__ __noinline__ void store(short* where, int value) {
  where[1] = static_cast<short>(value);
}

__global__ void fill(short* a, int n) {
  if (threadIdx.x < n) store(a + threadIdx.x, 3);
}

int main() {
  short* a = nullptr;
  cudaMalloc(&a, 31 * sizeof(short));
  fill<<<1, 64>>>(a, 31);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
