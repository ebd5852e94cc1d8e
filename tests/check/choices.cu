// What GRIDSPAN_CHECK may say, and where it can't be done.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret GRIDSPAN_CHECK=memroy %t => 1
// EXPECT: ^gridspan: error: GRIDSPAN_CHECK='memroy': there is no check 'memroy', did you mean 'memory'\?; expected all \| none \| memory, init, race, sync, leaks, joined by ','$
// REFUSE: finished
// STEP: GRIDSPAN_CPU=interpret GRIDSPAN_CHECK=memory, %t => 1
// EXPECT: there is no check ''
// STEP: GRIDSPAN_CPU=interpret GRIDSPAN_CHECK=none %t => 0
// EXPECT: finished: no error
// REFUSE: choices
// STEP: GRIDSPAN_CPU=interpret GRIDSPAN_CHECK=sync %t => 0
// EXPECT: finished: no error
// REFUSE: choices
// STEP: GRIDSPAN_CPU=interpret GRIDSPAN_CHECK=sync,memory %t => 1
// EXPECT: 0 bytes behind the end
// STEP: GRIDSPAN_CPU=interpret GRIDSPAN_CHECK=all %t => 1
// EXPECT: 0 bytes behind the end
// STEP: GRIDSPAN_CHECK=memory %t => 0
// EXPECT: ^gridspan: warning: GRIDSPAN_CHECK: memory, init, race and sync are checked with GRIDSPAN_CPU=interpret only$
// STEP: GRIDSPAN_CPU=interpret GRIDSPAN_CHECK=init GRIDSPAN_DEVICES=cpu:2 %t => 0
// EXPECT: ^gridspan: warning: GRIDSPAN_CHECK: with several devices
#include <cstdio>


__global__ void fill(int* a) { a[threadIdx.x + 1] = 1; }

int main() {
  int* a = nullptr;
  cudaMalloc(&a, 40);
  fill<<<1, 10>>>(a);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
