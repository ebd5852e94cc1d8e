// Two floats at once from an odd place of shared memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: shared_misaligned\.cu:17:\d+: error: kernel 'pairs\(float2\*\)', block \[0,0,0\], thread \[1,0,0\]: misaligned read of 8 bytes at 0x[0-9a-f]+, which is no multiple of 8, 4 bytes inside (the block's \d+ bytes of shared memory|a variable of 132 bytes)$
// EXPECT: note: 15 more threads do the same$
// EXPECT: finished: misaligned address$
#include <cstdio>


__global__ void pairs(float2* out) {
  __shared__ float cells[33];
  cells[threadIdx.x] = 1;
  cells[32] = 2;
  __syncthreads();
  const float2* pair = reinterpret_cast<const float2*>(cells + threadIdx.x);
  out[threadIdx.x] = *pair;
}

int main() {
  float2* out = nullptr;
  cudaMalloc(&out, 32 * sizeof(float2));
  pairs<<<1, 32>>>(out);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
