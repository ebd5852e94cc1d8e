// Recursion without end: a launch failure, not the end of the process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -O2 %s -o %t => 0
// STEP: %t => 1
// EXPECT: finished: (?!no error)
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: finished: (?!no error)
#include <cstdio>

__device__ __noinline__ int endless(int* p, int n) {
  int mine[100];
  for (int i = 0; i < 100; ++i) mine[i] = p[i % 4] + i;
  if (n < 0) return mine[n & 63];
  return endless(mine, n + (mine[n % 100] > -1)) + mine[n % 7];
}
__global__ void kernel(int* out) { out[threadIdx.x] = endless(out, threadIdx.x & 1); }

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemset(out, 0, 32 * sizeof(int));
  kernel<<<2, 32>>>(out);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
