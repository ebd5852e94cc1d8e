// Two wrong lines: told in the order of the grid, each once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -G %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: two_places\.cu:18:\d+: error: kernel 'both\(int\*, int\*, int\)', block \[7,0,0\], thread \[1,0,0\]: write of 4 bytes at 0x[0-9a-f]+, 4 bytes behind the end of the 400 bytes at
// EXPECT: two_places\.cu:18:\d+: note: 14 more threads do the same$
// EXPECT: two_places\.cu:16:\d+: error: kernel 'both\(int\*, int\*, int\)', block \[1,0,0\], thread \[0,0,0\]: write of 4 bytes at 0x[0-9a-f]+, 0 bytes behind the end of the 40 bytes at
// EXPECT: two_places\.cu:16:\d+: note: 44 more threads do the same$
// EXPECT: finished: an illegal memory access was encountered$
#include <cstdio>


__global__ void both(int* a, int* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 2 == 0) {
    a[i] = i;
  } else {
    b[i + n] = i;
  }
}

int main() {
  int *a = nullptr, *b = nullptr;
  cudaMalloc(&a, 40);
  cudaMalloc(&b, 400);
  both<<<10, 10>>>(a, b, 30);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
