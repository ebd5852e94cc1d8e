// An int that begins at an odd address.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: misaligned\.cu:12:\d+: error: kernel 'read\(char const\*, int\*, int\)', block \[0,0,0\], thread \[0,0,0\]: misaligned read of 4 bytes at 0x[0-9a-f]+, which is no multiple of 4, 5 bytes inside the 100 bytes at 0x[0-9a-f]+$
// EXPECT: misaligned\.cu:18: note: the 100 bytes at 0x[0-9a-f]+ are allocated by cudaMalloc, called in main$
// EXPECT: finished: misaligned address$
#include <cstdio>


__global__ void read(const char* bytes, int* out, int at) {
  *out = *reinterpret_cast<const int*>(bytes + at);
}

int main() {
  char* bytes = nullptr;
  int* out = nullptr;
  cudaMalloc(&bytes, 100);
  cudaMalloc(&out, 4);
  read<<<1, 1>>>(bytes, out, 5);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
