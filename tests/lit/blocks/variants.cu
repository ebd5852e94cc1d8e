// What is left out of the code for some instruction sets.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %gridcc -O3 -c %s -o %t.o
// RUN: llvm-nm --format=just-symbols %t.o > %t.names
// RUN: FileCheck %s < %t.names
// RUN: FileCheck %s --check-prefix=NONE < %t.names
#include <cuda_runtime.h>

// Tiles are read through where threads become vectors; there blocks are joined.
__global__ void tiled(const float* a, const float* b, float* c, int n) {
  __shared__ float as[16][16], bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float sum = 0;
  for (int m = 0; m < n / 16; ++m) {
    as[ty][tx] = a[row * n + m * 16 + tx];
    bs[ty][tx] = b[(m * 16 + ty) * n + col];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  c[row * n + col] = sum;
}
// CHECK-DAG: {{tiled.*}}.through.region.0.v3
// CHECK-DAG: {{tiled.*}}.through.region.0.v4
// NONE-NOT: {{through.region.0$}}

// Regions beside code for whole warps: one instruction set's will do; of 41 the baseline has none.
__global__ void pairs(const int* in, int* out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x, mine[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) mine[i] = in[at * 8 + i];
#pragma unroll
  for (int i = 0; i < 8; ++i)
#pragma unroll
    for (int step = 1; step < 32; step *= 2) mine[i] += __shfl_xor_sync(~0u, mine[i], step) * step;
#pragma unroll
  for (int i = 0; i < 8; ++i) out[at * 8 + i] = mine[i];
}
// CHECK-DAG: {{pairs.*}}.region.0.v3
// CHECK-DAG: {{pairs.*}}.block.v3
// CHECK-DAG: {{pairs.*}}.block.v4
// NONE-NOT: {{pairs.*}}.region.0{{$}}
// NONE-NOT: {{pairs.*}}.region.0.v4

// A few operations: the baseline has its own.
__global__ void sums(const int* in, int* out) {
  int sum = in[blockIdx.x * blockDim.x + threadIdx.x];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
// CHECK-DAG: {{sums.*}}.region.0{{$}}
// CHECK-DAG: {{sums.*}}.region.0.v3
// NONE-NOT: {{sums.*}}.region.0.v4
