// Wrong values and misspelt names of our environment variables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -O2 %s -o %t => 0
// STEP: %t => 0
// EXPECT: no error
// STEP: GRIDSPAN_DEVICE=cpu %t => 0
// EXPECT: GRIDSPAN_DEVICE .*did you mean GRIDSPAN_DEVICES
// EXPECT: no error
// STEP: GRIDSPAN_DEVICES=gpu:x %t => 1
// EXPECT: GRIDSPAN_DEVICES
// EXPECT: gpu:x
// STEP: GRIDSPAN_DEVICES=cuda:99 %t => 1
// EXPECT: GRIDSPAN_DEVICES: cuda
// STEP: GRIDSPAN_DEVICES=cpu:2+ %t => 1
// EXPECT: GRIDSPAN_DEVICES.*cpu:2\+.*is not a device; expected cpu
// STEP: GRIDSPAN_DEVICES=cpu:2 %t => 0
// EXPECT: no error
// STEP: GRIDSPAN_THREADS=0 %t => 1
// EXPECT: GRIDSPAN_THREADS
// STEP: GRIDSPAN_THREADS=many %t => 1
// EXPECT: GRIDSPAN_THREADS.*many
// STEP: GRIDSPAN_CPU=fast %t => 1
// EXPECT: GRIDSPAN_CPU.*fast
// EXPECT: regions
// STEP: GRIDSPAN_LOG=loud %t => 1
// EXPECT: GRIDSPAN_LOG.*loud
// STEP: GRIDSPAN_DEVICES=cpu GRIDSPAN_THREADS=1 GRIDSPAN_CPU=interpret %t => 0
// EXPECT: no error
#include <cstdio>

__global__ void kernel() {}

int main() {
  kernel<<<1, 1>>>();
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
