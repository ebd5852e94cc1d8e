// More static shared memory than a block can have: refused by the compiler or at the launch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t && %t => 1
// EXPECT: shared|too many resources requested for launch|invalid configuration argument
#include <cstdio>

__global__ void kernel(int* out) {
  __shared__ int cells[100000];
  cells[threadIdx.x] = 1;
  __syncthreads();
  out[0] = cells[99 - threadIdx.x];
}

int main() {
  int* out;
  cudaMalloc(&out, sizeof(int));
  kernel<<<1, 100>>>(out);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
