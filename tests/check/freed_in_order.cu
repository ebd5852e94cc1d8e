// Memory freed in a stream before the launch in it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: freed_in_order\.cu:13:\d+: error: kernel 'write\(int\*\)', block \[0,0,0\], thread \[0,0,0\]: write of 4 bytes at 0x[0-9a-f]+, 12 bytes inside the 512 bytes at 0x[0-9a-f]+, which were freed$
// EXPECT: freed_in_order\.cu:19: note: the 512 bytes at 0x[0-9a-f]+ are allocated by cudaMallocAsync, called in main$
// EXPECT: freed_in_order\.cu:21: note: and freed by cudaFreeAsync, called in main$
// EXPECT: note: 3 more threads do the same$
// EXPECT: finished: an illegal memory access was encountered$
#include <cstdio>


__global__ void write(int* a) { a[threadIdx.x + 3] = 1; }

int main() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  int* a = nullptr;
  cudaMallocAsync(&a, 512, stream);
  write<<<1, 4, 0, stream>>>(a);
  cudaFreeAsync(a, stream);
  write<<<1, 4, 0, stream>>>(a);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
