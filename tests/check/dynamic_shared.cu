// Behind the shared memory of the launch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: dynamic_shared\.cu:13:\d+: error: kernel 'fill\(double\*\)', block \[0,0,0\], thread \[50,0,0\]: write of 8 bytes at 0x[0-9a-f]+, 0 bytes behind the end of the block's 400 bytes of shared memory$
// EXPECT: note: 13 more threads do the same$
// EXPECT: finished: an illegal memory access was encountered$
#include <cstdio>


__global__ void fill(double* out) {
  extern __shared__ double cells[];
  cells[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = cells[0];
}

int main() {
  double* out = nullptr;
  cudaMalloc(&out, 64 * sizeof(double));
  fill<<<1, 64, 50 * sizeof(double)>>>(out);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
