// An atomic operation behind a histogram.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: atomic\.cu:13:\d+: error: kernel 'count\(int const\*, unsigned long long\*, int\)', block \[4,0,0\], thread \[5,0,0\]: atomic access of 8 bytes at 0x[0-9a-f]+, 0 bytes behind the end of the 128 bytes at 0x[0-9a-f]+$
// EXPECT: atomic\.cu:23: note: the 128 bytes at 0x[0-9a-f]+ are allocated by cudaMalloc, called in main$
// EXPECT: finished: an illegal memory access was encountered$
#include <cstdio>


__global__ void count(const int* values, unsigned long long* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicMax(&bins[values[i]], 7ull);
}

int main() {
  int host[70];
  for (int i = 0; i < 70; ++i) host[i] = i % 16;
  host[69] = 16;
  int* values = nullptr;
  unsigned long long* bins = nullptr;
  cudaMalloc(&values, sizeof host);
  cudaMalloc(&bins, 16 * 8);
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(bins, 0, 128);
  count<<<5, 16>>>(values, bins, 70);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
