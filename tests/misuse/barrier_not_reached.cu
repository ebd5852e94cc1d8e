// Part of a warp waits at the barrier, the rest at a warp operation that waits for all lanes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -O2 -g %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: barrier_not_reached\.cu:(16|17|19|20):\d+: error: .*wait
// EXPECT: __shfl_sync
// EXPECT: __syncthreads
// EXPECT: finished: unspecified launch failure
// STEP: %t => 1
// EXPECT: finished: unspecified launch failure

#include <cstdio>

__global__ void kernel(int* out) {
  if (threadIdx.x < 5) {
    out[threadIdx.x] = __shfl_sync(0xffffffffu, 7, 0);
    __syncthreads();
  } else {
    __syncthreads();
    out[threadIdx.x] = __shfl_sync(0xffffffffu, 7, 0);
  }
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  kernel<<<1, 32>>>(out);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
