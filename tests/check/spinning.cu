// Who waits for a thread that was refused an access does not wait for ever.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: spinning\.cu:12:\d+: error: kernel 'hand_over\(int\*, int volatile\*, int\*\)', block \[0,0,0\], thread \[0,0,0\]: write of 4 bytes at 0x[0-9a-f]+, 0 bytes behind the end of the 100 bytes
// EXPECT: finished: an illegal memory access was encountered$
#include <cstdio>


__global__ void hand_over(int* data, volatile int* flag, int* out) {
  if (blockIdx.x == 0) {
    data[25] = 1;
    __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    *out = data[0];
  }
}

int main() {
  int *data = nullptr, *flag = nullptr, *out = nullptr;
  cudaMalloc(&data, 100);
  cudaMalloc(&flag, 4);
  cudaMalloc(&out, 4);
  cudaMemset(flag, 0, 4);
  hand_over<<<2, 1>>>(data, flag, out);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
