// A pointer to a variable of main.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: host_stack\.cu:11:\d+: error: kernel 'add\(int\*\)', block \[0,0,0\], thread \[0,0,0\]: atomic access of 4 bytes at 0x[0-9a-f]+, in host memory \(the stack\); nothing is allocated$
// EXPECT: note: 31 more threads do the same$
// EXPECT: finished: an illegal memory access was encountered$
#include <cstdio>


__global__ void add(int* sum) { atomicAdd(sum, 1); }

int main() {
  int sum = 0;
  add<<<2, 16>>>(&sum);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
