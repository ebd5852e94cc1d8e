// Behind the last row of pitched memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: pitched\.cu:13:\d+: error: kernel 'fill\(char\*, unsigned long, int\)', block \[0,0,0\], thread \[0,7,0\]: write of 1 byte at 0x[0-9a-f]+, 0 bytes behind the end of the 3584 bytes at 0x[0-9a-f]+$
// EXPECT: pitched\.cu:19: note: the 3584 bytes at 0x[0-9a-f]+ are allocated by cudaMallocPitch, called in main$
// EXPECT: note: 4 more threads do the same$
// EXPECT: finished: an illegal memory access was encountered$
#include <cstdio>


__global__ void fill(char* a, size_t pitch, int rows) {
  if (threadIdx.y <= rows) a[threadIdx.y * pitch + threadIdx.x] = 1;
}

int main() {
  char* a = nullptr;
  size_t pitch = 0;
  cudaMallocPitch(&a, &pitch, 100, 7);
  fill<<<1, dim3(5, 9)>>>(a, pitch, 7);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
