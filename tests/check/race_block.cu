// Threads of a block without the barrier they need.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret GRIDSPAN_CHECK=race %t => 0
// EXPECT: warning: kernel 'reverse\(int\*\)', block \[0,0,0\], thread \[\d+,0,0\]: race in global memory: (reads what|overwrites what) thread \[\d+,0,0\] (reads|writes) at .*race_block\.cu:\d+:\d+, with no barrier in between
#include <cstdio>


__global__ void reverse(int* a) {
  const int t = threadIdx.x;
  a[t] = t + 1;
  const int mirrored = a[63 - t];
  __syncthreads();
  a[t] = mirrored;
}

int main() {
  int* a = nullptr;
  cudaMalloc(&a, 256);
  cudaMemset(a, 0, 256);
  reverse<<<1, 64>>>(a);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
