// Behind an array of the thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: local_array\.cu:13:\d+: error: kernel 'sort\(int const\*, int\*\)', block \[0,0,0\], thread \[1,0,0\]: write of 4 bytes at 0x[0-9a-f]+, 0 bytes behind the end of a local variable of 24 bytes$
// EXPECT: finished: an illegal memory access was encountered$
#include <cstdio>


__global__ void sort(const int* order, int* out) {
  int mine[6];
  for (int i = 0; i < 6; ++i) mine[i] = 0;
  mine[order[threadIdx.x]] = 1;
  out[threadIdx.x] = mine[out[threadIdx.x] & 3];
}

int main() {
  const int host[3] = {0, 6, 2};
  int *order = nullptr, *out = nullptr;
  cudaMalloc(&order, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(order, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(out, 0, sizeof host);
  sort<<<1, 3>>>(order, out);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
