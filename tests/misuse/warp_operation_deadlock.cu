// The lanes of a mask stand at different warp operations: they wait for each other for ever.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -O2 %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: warp_operation_deadlock\.cu:(16|18):\d+: error: 
// EXPECT: finished: unspecified launch failure
// EXPECT: after: unspecified launch failure
// STEP: %t => 1
// EXPECT: finished: unspecified launch failure
// EXPECT: after: unspecified launch failure
#include <cstdio>

__global__ void kernel(int* out) {
  int value;
  if (threadIdx.x < 16)
    value = __shfl_sync(0xffffffffu, threadIdx.x, 20);
  else
    value = __any_sync(0xffffffffu, threadIdx.x == 20);
  out[threadIdx.x] = value;
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  kernel<<<3, 32>>>(out);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  std::printf("after: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return error != cudaSuccess;
}
