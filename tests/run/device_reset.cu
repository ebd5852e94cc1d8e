// cudaDeviceReset in the middle of a program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Device management | cudaDeviceReset frees everything, restores __device__ variables, and the program goes on
#include "check.h"

__device__ int counter = 7;
__global__ void count(int* out) {
  const int old = atomicAdd(&counter, 1);
  out[check::global_index()] = old;
}

int main() {
  for (int round = 0; round < 3; ++round) {
    int* out = nullptr;
    int host[5] = {};
    CUDA_OK(cudaMalloc(&out, sizeof host));
    for (int i = 0; i < 5; ++i) count<<<1, 1>>>(out + i);
    CUDA_OK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 5; ++i) CHECK_EQ(host[i], 7 + i);
    CUDA_OK(cudaDeviceReset());
  }
  return check::finish();
}
