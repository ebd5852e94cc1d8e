// A kernel that needs fibers says so, with the line that is the reason.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -O2 %s -o %t => 0
// STEP: GRIDSPAN_LOG=info %t => 0
// EXPECT: info: kernel _Z5countv runs on fibers \(slow\): .*fallback_visible\.cu:16: volatile load: threads may watch
// EXPECT: 343 counted
// STEP: GRIDSPAN_LOG=warn %t => 0
// REFUSE: runs on fibers
#include <cstdio>

__device__ int counter;

__global__ void count() {
  __shared__ volatile unsigned last;
  // Lanes write where they look: the line below is the one named.
  do last = threadIdx.x; while (last != threadIdx.x);
  if (threadIdx.x == 0) atomicAdd(&counter, blockDim.x);
}

int main() {
  for (int i = 0; i < 2; ++i) count<<<7, 33 / (2 - i)>>>();
  int result = 0;
  cudaMemcpyFromSymbol(&result, counter, sizeof result);
  std::printf("%d counted\n", result);
  return result != 7 * (16 + 33);
}
