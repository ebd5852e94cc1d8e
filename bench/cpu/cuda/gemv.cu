// A matrix times a vector: a warp for each row, its sum by shuffles.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

__global__ void gemv(const float* a, const float* x, float* y, int rows, int columns) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0;
  for (int i = lane; i < columns; i += 32) sum += a[row * columns + i] * x[i];
  for (int d = 16; d > 0; d >>= 1) sum += __shfl_down_sync(0xffffffff, sum, d);
  if (lane == 0) y[row] = sum;
}

CASE(gemv) {
  const int rows = bench::gemv_rows, columns = bench::gemv_columns;
  bench::Array<float> a(bench::numbers(rows * columns, 0, 1)), x(bench::numbers(columns, 0, 1, 2)),
      y(rows);
  run.measure([&] {
    gemv<<<bench::blocks(32 * rows, 128), 128>>>(a, x, y, rows, columns);
    bench::finish();
  });
  y.report(run);
}
