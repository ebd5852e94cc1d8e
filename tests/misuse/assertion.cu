// A failing assertion: CUDA's line on stderr, cudaErrorAssert, and the host goes on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -O2 %s -o %t => 0
// STEP: %t => 1
// EXPECT: assertion\.cu:14: .*check.*: block: \[2,0,0\], thread: \[3,1,0\] Assertion .x < 19.* failed
// EXPECT: finished: device-side assert triggered
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: assertion\.cu:14: .*check.*: block: \[2,0,0\], thread: \[3,1,0\] Assertion .x < 19.* failed
// EXPECT: finished: device-side assert triggered
#include <cassert>
#include <cstdio>

__device__ int check(int x) {
  assert(x < 19);
  return x;
}
__global__ void kernel(int* out) {
  const int x = blockIdx.x * 8 + threadIdx.y * 4 + threadIdx.x;
  out[x] = x == 23 ? check(x) : 0;
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  kernel<<<3, dim3(4, 2)>>>(out);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
