// A matrix transposed through tiles in shared memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

constexpr int tile = 32, rows = 8;

__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float s[tile][tile + 1];  // one more column: no bank conflicts
  int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
  for (int dy = 0; dy < tile; dy += rows) s[threadIdx.y + dy][threadIdx.x] = in[(y + dy) * n + x];
  __syncthreads();
  x = blockIdx.y * tile + threadIdx.x;
  y = blockIdx.x * tile + threadIdx.y;
  for (int dy = 0; dy < tile; dy += rows) out[(y + dy) * n + x] = s[threadIdx.x][threadIdx.y + dy];
}

CASE(transpose) {
  const int n = bench::wide_matrix;
  bench::Array<float> in(bench::numbers(n * n, 0, 1)), out(n * n);
  run.measure([&] {
    transpose<<<dim3(n / tile, n / tile), dim3(tile, rows)>>>(in, out, n);
    bench::finish();
  });
  out.report(run);
}
