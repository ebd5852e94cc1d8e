// A struct that is copied whole, and lies half outside.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: struct_copy\.cu:17:\d+: error: kernel 'move\(Particle const\*, Particle\*, int\)', block \[0,0,0\], thread \[4,0,0\]: read of \d+ bytes at 0x[0-9a-f]+, \d+ bytes behind the end of the 280 bytes at 0x[0-9a-f]+$
// EXPECT: struct_copy\.cu:22: note: the 280 bytes at 0x[0-9a-f]+ are allocated by cudaMalloc, called in main$
// EXPECT: finished: an illegal memory access was encountered$
#include <cstdio>


struct Particle {
  double place[3], speed[3];
  int kind;
};

__global__ void move(const Particle* from, Particle* to, int shift) {
  to[threadIdx.x] = from[threadIdx.x + shift];
}

int main() {
  Particle *from = nullptr, *to = nullptr;
  cudaMalloc(&from, 5 * sizeof(Particle));
  cudaMalloc(&to, 5 * sizeof(Particle));
  cudaMemset(from, 0, 5 * sizeof(Particle));
  move<<<1, 5>>>(from, to, 1);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
