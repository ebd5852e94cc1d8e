// __trap and unreachable code end the launch, in every mode, from any block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -O2 %s -o %t => 0
// STEP: %t => 1
// EXPECT: finished: (unspecified launch failure|an illegal instruction was encountered)
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: finished: (unspecified launch failure|an illegal instruction was encountered)
#include <cstdio>

__global__ void kernel(int* p) {
  __shared__ int cell;
  if (threadIdx.x == 0) cell = blockIdx.x;
  __syncthreads();
  if (cell == 70 && threadIdx.x == 20) __trap();
  __syncthreads();
  p[blockIdx.x] = cell;
}

int main() {
  int* p;
  cudaMalloc(&p, 400);
  kernel<<<100, 33>>>(p);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
