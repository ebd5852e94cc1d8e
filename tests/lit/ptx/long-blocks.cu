// Sums are computed where the source has them, in long blocks, too: values that wait for later take registers.
// RUN: %gridcc -std=c++17 -O3 -c %s -o %t.o
// RUN: %gridspan ptx --arch 90 %t.o | FileCheck %s

// CHECK-LABEL: .entry _Z5roundPKfPf(
// CHECK: bar.sync
// CHECK: bar.sync
// CHECK-COUNT-16: fma.rn.f32
// CHECK: bar.sync
// CHECK: bar.sync
// CHECK-COUNT-16: fma.rn.f32
// CHECK: bar.sync
__global__ void round(const float* a, float* b) {
  __shared__ float s[64];
  float sums[16] = {};
#pragma unroll
  for (int k = 0; k < 40; ++k) {
    __syncthreads();
    s[threadIdx.x] = a[k * 64 + threadIdx.x];
    __syncthreads();
#pragma unroll
    for (int m = 0; m < 16; ++m) sums[m] += s[m] * s[m + threadIdx.x % 32];
  }
  for (int m = 0; m < 16; ++m) b[m * 64 + threadIdx.x] = sums[m];
}
