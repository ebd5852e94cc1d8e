// An array from malloc.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: host_heap\.cu:11:\d+: error: kernel 'fill\(float\*\)', block \[0,0,0\], thread \[0,0,0\]: write of 4 bytes at 0x[0-9a-f]+, in (host memory \(the heap\)|no device memory); nothing is allocated$
// EXPECT: finished: an illegal memory access was encountered$
#include <cstdio>

#include <cstdlib>

__global__ void fill(float* a) { a[threadIdx.x] = 1; }

int main() {
  float* a = static_cast<float*>(std::malloc(1000));
  fill<<<1, 3>>>(a);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
