// Behind memory of a kernel's own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: device_heap\.cu:13:\d+: error: kernel 'work\(int\*\)', block \[0,0,0\], thread \[0,0,0\]: write of 4 bytes at 0x[0-9a-f]+, 0 bytes behind the end of the 12 bytes at 0x[0-9a-f]+$
// EXPECT: note: the 12 bytes at 0x[0-9a-f]+ are of device code's own heap$
// EXPECT: finished: an illegal memory access was encountered$
#include <cstdio>


__global__ void work(int* out) {
  int* mine = static_cast<int*>(malloc(12));
  for (int i = 0; i <= 3; ++i) mine[i] = i;
  out[threadIdx.x] = mine[1];
  free(mine);
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, 8);
  work<<<1, 2>>>(out);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
