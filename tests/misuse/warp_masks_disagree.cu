// Lanes call one shuffle with masks that contradict each other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -O2 %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: warp_masks_disagree\.cu:12:\d+: error: .*mask
// STEP: %t => 0|1
// EXPECT: finished: 
#include <cstdio>

__global__ void kernel(int* out) {
  const unsigned mask = threadIdx.x % 2 ? 0xffffffffu : 0x5555ffffu;
  out[threadIdx.x] = __shfl_xor_sync(mask, out[threadIdx.x], 1);
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemset(out, 0, 32 * sizeof(int));
  kernel<<<1, 32>>>(out);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
