// Threads that leave before a barrier: hardware lets the others through, CUDA does not promise it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret GRIDSPAN_CHECK=sync %t => 0
// EXPECT: barrier_left\.cu:14:\d+: warning: kernel 'fill\(int\*, int\)', block \[1,0,0\], thread \[0,0,0\]: waits at __syncthreads, which 28 threads of the block never reached: the first is thread \[36,0,0\], which has left$
// EXPECT: finished: no error
// STEP: GRIDSPAN_CPU=interpret %t => 0
// REFUSE: warning
#include <cstdio>

__global__ void fill(int* a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  __syncthreads();
  a[i] = i;
}

int main() {
  int* a = nullptr;
  cudaMalloc(&a, 400);
  fill<<<2, 64>>>(a, 100);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
