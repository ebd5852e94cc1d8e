// A sparse matrix times a vector: a thread for each row.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

__global__ void spmv(const int* begin, const int* column, const float* value, const float* x,
                     float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = begin[i]; k < begin[i + 1]; ++k) sum += value[k] * x[column[k]];
  y[i] = sum;
}

CASE(spmv) {
  const int n = bench::graph;
  const bench::Sparse matrix(n);
  bench::Array<int> begin(matrix.begin), column(matrix.column);
  bench::Array<float> value(matrix.value), x(bench::numbers(n, 0, 1)), y(n);
  run.measure([&] {
    spmv<<<bench::blocks(n, 128), 128>>>(begin, column, value, x, y, n);
    bench::finish();
  });
  y.report(run);
}
