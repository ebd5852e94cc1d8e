// Behind one shared array, into the next.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: shared_variable\.cu:17:\d+: error: kernel 'turn\(int const\*, int\*, int\)', block \[0,0,0\], thread \[38,0,0\]: read of 4 bytes at 0x[0-9a-f]+, 0 bytes behind the end of a shared variable of 160 bytes$
// EXPECT: note: 1 more thread does the same$
// EXPECT: finished: an illegal memory access was encountered$
#include <cstdio>


__global__ void turn(const int* in, int* out, int shift) {
  __shared__ int tile[40];
  __shared__ int other[40];
  tile[threadIdx.x] = in[threadIdx.x];
  other[threadIdx.x] = 0;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x + shift] + other[39 - threadIdx.x];
}

int main() {
  int *in = nullptr, *out = nullptr;
  cudaMalloc(&in, 160);
  cudaMalloc(&out, 160);
  cudaMemset(in, 0, 160);
  turn<<<1, 40>>>(in, out, 2);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
