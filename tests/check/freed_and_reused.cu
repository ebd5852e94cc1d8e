// An old pointer, while there is new memory of the same size.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: freed_and_reused\.cu:12:\d+: error: kernel 'read\(int const\*, int\*\)', block \[0,0,0\], thread \[0,0,0\]: read of 4 bytes at 0x[0-9a-f]+, 20 bytes inside the 4096 bytes at 0x[0-9a-f]+, which were freed$
// EXPECT: freed_and_reused\.cu:16: note: the 4096 bytes at 0x[0-9a-f]+ are allocated by cudaMalloc, called in main$
// EXPECT: freed_and_reused\.cu:17: note: and freed by cudaFree, called in main$
// EXPECT: finished: an illegal memory access was encountered$
#include <cstdio>


__global__ void read(const int* a, int* out) { *out = a[5]; }

int main() {
  int *old = nullptr, *fresh = nullptr, *out = nullptr;
  cudaMalloc(&old, 4096);
  cudaFree(old);
  cudaMalloc(&fresh, 4096);
  cudaMalloc(&out, sizeof(int));
  read<<<1, 1>>>(old, out);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
