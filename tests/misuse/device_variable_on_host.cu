// Host code reads what only device code has.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -O2 -std=c++17 -c %s -o %t.o => 1
// EXPECT: device_variable_on_host\.cu:17:\d+: error: host code reads 'threadIdx', which only device code has
// EXPECT: device_variable_on_host\.cu:18:\d+: error: host code reads 'warpSize', which only device code has
// REFUSE: on_device_only
// STEP: %gridcc -O0 -g -std=c++17 -c %s -o %t.o => 1
// EXPECT: device_variable_on_host\.cu:17:\d+: error: host code reads 'threadIdx'
// STEP: %gridcc -O2 -std=c++17 -DALL_RIGHT %s -o %t && %t => 0

/// Types may be asked for, and code for both sides may read where only the device comes.
__host__ __device__ inline unsigned on_device_only(bool device) {
  if (device) return threadIdx.x;
  return sizeof(threadIdx) + sizeof(decltype(gridDim));
}
#ifndef ALL_RIGHT
unsigned reads() { return threadIdx.x + threadIdx.y; }
int reads_size() { return warpSize; }
#endif
__global__ void kernel(unsigned* p) { *p = on_device_only(true); }
int main() { return on_device_only(false) != 24; }
