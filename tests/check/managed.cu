// Behind managed memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -O2 %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: managed\.cu:11:\d+: error: kernel 'fill\(int\*\)', block \[0,0,2\], thread \[0,0,9\]: write of 4 bytes at 0x[0-9a-f]+, 0 bytes behind the end of the 116 bytes at 0x[0-9a-f]+$
// EXPECT: managed\.cu:15: note: the 116 bytes at 0x[0-9a-f]+ are allocated by cudaMallocManaged, called in main$
// EXPECT: finished: an illegal memory access was encountered$
#include <cstdio>


__global__ void fill(int* a) { a[blockIdx.z * 10 + threadIdx.z] = 1; }

int main() {
  int* a = nullptr;
  cudaMallocManaged(&a, 29 * sizeof(int));
  fill<<<dim3(1, 1, 3), dim3(1, 1, 10)>>>(a);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
