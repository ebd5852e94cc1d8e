// A store behind the end of dynamic shared memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -O2 %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: shared_out_of_bounds\.cu:13:\d+: error: 
// STEP: %t => 0|1
// EXPECT: finished: 
#include <cstdio>

__global__ void kernel(int* out) {
  extern __shared__ int cells[];
  const int t = threadIdx.x;
  cells[t] = t;
  __syncthreads();
  out[t] = cells[t];
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  kernel<<<1, 64, 62 * sizeof(int) + 2>>>(out);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
