// Memory that was given back before the launch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -O0 %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: freed\.cu:13:\d+: error: kernel 'twice\(float\*\)', block \[0,0,0\], thread \[0,0,0\]: read of 4 bytes at 0x[0-9a-f]+, 0 bytes inside the 260 bytes at 0x[0-9a-f]+, which were freed$
// EXPECT: freed\.cu:17: note: the 260 bytes at 0x[0-9a-f]+ are allocated by cudaMalloc, called in make_buffer\(int\), called in main \(.*freed\.cu:\d+\)$
// EXPECT: freed\.cu:20: note: and freed by cudaFree, called in give_back\(float\*\), called in main \(.*freed\.cu:\d+\)$
// EXPECT: note: 63 more threads do the same$
// EXPECT: finished: an illegal memory access was encountered$
#include <cstdio>


__global__ void twice(float* a) { a[threadIdx.x] *= 2; }

static float* make_buffer(int n) {
  float* a = nullptr;
  cudaMalloc(&a, n * sizeof(float));
  return a;
}
static void give_back(float* a) { cudaFree(a); }

int main() {
  float* a = make_buffer(65);
  give_back(a);
  twice<<<1, 64>>>(a);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
