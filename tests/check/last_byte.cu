// A byte behind an allocation whose size is no multiple of anything.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: last_byte\.cu:13:\d+: error: kernel 'copy\(char const\*, char\*, int\)', block \[0,0,0\], thread \[2,2,0\]: write of 1 byte at 0x[0-9a-f]+, 0 bytes behind the end of the 10 bytes at 0x[0-9a-f]+$
// EXPECT: last_byte\.cu:19: note: the 10 bytes at 0x[0-9a-f]+ are allocated by cudaMalloc, called in main$
// EXPECT: finished: an illegal memory access was encountered$
#include <cstdio>


__global__ void copy(const char* from, char* to, int n) {
  const int t = threadIdx.y * blockDim.x + threadIdx.x;
  if (t < n) to[t] = from[t];
}

int main() {
  char *from = nullptr, *to = nullptr;
  cudaMalloc(&from, 11);
  cudaMalloc(&to, 10);
  copy<<<1, dim3(4, 4)>>>(from, to, 11);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
