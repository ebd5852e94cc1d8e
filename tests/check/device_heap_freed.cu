// Memory of a kernel's own that it gave back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: device_heap_freed\.cu:14:\d+: error: kernel 'work\(int\*, int\)', block \[0,0,0\], thread \[0,0,0\]: read of 4 bytes at 0x[0-9a-f]+, 0 bytes inside the 36 bytes at 0x[0-9a-f]+, which were freed$
// EXPECT: finished: an illegal memory access was encountered$
#include <cstdio>


__global__ void work(int* out, int n) {
  int* mine = new int[n];
  mine[0] = n;
  delete[] mine;
  out[threadIdx.x] = mine[0];
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, 8);
  work<<<1, 1>>>(out, 9);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
