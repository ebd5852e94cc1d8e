// Four floats at once from where one may begin.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: misaligned_vector\.cu:13:\d+: error: kernel 'copy\(float const\*, float4\*, int\)', block \[0,0,0\], thread \[0,0,0\]: misaligned read of 16 bytes at 0x[0-9a-f]+, which is no multiple of 16, 8 bytes inside the 1000 bytes at 0x[0-9a-f]+$
// EXPECT: misaligned_vector\.cu:19: note: the 1000 bytes at 0x[0-9a-f]+ are allocated by cudaMalloc, called in main$
// EXPECT: note: 7 more threads do the same$
// EXPECT: finished: misaligned address$
#include <cstdio>


__global__ void copy(const float* from, float4* to, int shift) {
  to[threadIdx.x] = reinterpret_cast<const float4*>(from + shift)[threadIdx.x];
}

int main() {
  float* from = nullptr;
  float4* to = nullptr;
  cudaMalloc(&from, 1000);
  cudaMalloc(&to, 1000);
  copy<<<1, 8>>>(from, to, 2);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
