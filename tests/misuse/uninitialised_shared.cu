// A read of shared memory nobody has written.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -O2 %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t => 0
// EXPECT: uninitialised_shared\.cu:15:\d+: warning: .*uninitialised shared memory
// EXPECT: kernel\(int\*\)
// STEP: %t => 0
// EXPECT: finished: no error
#include <cstdio>

__global__ void kernel(int* out) {
  __shared__ int cells[64];
  if (threadIdx.x != 17) cells[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = cells[63 - threadIdx.x] * 2;
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  kernel<<<1, 64>>>(out);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
