// A kernel writes to memory that was freed: never a crash of the process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -O2 %s -o %t => 0
// STEP: %t => 0|1
// EXPECT: finished: 
// STEP: GRIDSPAN_CPU=interpret %t => 0|1
// EXPECT: finished: 
#include <cstdio>

__global__ void kernel(int* p) { p[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

int main() {
  int* p;
  cudaMalloc(&p, 1 << 26);
  cudaFree(p);
  kernel<<<(1 << 26) / 4 / 256, 256>>>(p);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
