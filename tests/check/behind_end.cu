// One element behind an allocation, in the last block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: behind_end\.cu:13:\d+: error: kernel 'fill\(int\*, int\)', block \[1,0,0\], thread \[36,0,0\]: write of 4 bytes at 0x[0-9a-f]+, 0 bytes behind the end of the 400 bytes at 0x[0-9a-f]+$
// EXPECT: behind_end\.cu:18: note: the 400 bytes at 0x[0-9a-f]+ are allocated by cudaMalloc, called in main$
// EXPECT: finished: an illegal memory access was encountered$
#include <cstdio>


__global__ void fill(int* a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) a[i] = i;
}

int main() {
  int* a = nullptr;
  cudaMalloc(&a, 100 * sizeof(int));
  fill<<<2, 64>>>(a, 100);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
