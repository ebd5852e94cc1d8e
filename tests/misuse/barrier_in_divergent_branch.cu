// Two halves of the block wait at different barriers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -O2 %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: barrier_in_divergent_branch\.cu:(18|21):\d+: error: .*__syncthreads
// EXPECT: barrier_in_divergent_branch\.cu:(18|21)
// EXPECT: thread
// STEP: %t => 0|1
// EXPECT: finished: 

#include <cstdio>

__global__ void kernel(int* out) {
  __shared__ int cell;
  if (threadIdx.x == 0) cell = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    __syncthreads();
    atomicAdd(&cell, 1);
  } else {
    __syncthreads();
    atomicAdd(&cell, 2);
  }
  out[threadIdx.x] = cell;
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  kernel<<<1, 64>>>(out);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
