// A lane calls a warp operation with a mask that does not name it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -O2 %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t => 1
// EXPECT: warp_mask_without_caller\.cu:12:\d+: error: .*lane (16|17|18|31).*__ballot_sync.*0x0*ffff\b
// EXPECT: kernel
// STEP: %t => 0|1
// EXPECT: finished: 
#include <cstdio>

__global__ void kernel(unsigned* out) {
  out[threadIdx.x] = __ballot_sync(0x0000ffffu, 1);
}

int main() {
  unsigned* out;
  cudaMalloc(&out, 32 * sizeof(int));
  kernel<<<1, 32>>>(out);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
