// A sparse matrix times a vector: a work-item for each row.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

CASE(spmv) {
  const int n = bench::graph;
  const bench::Program program("spmv.cl");
  const bench::Kernel spmv(program.kernel("spmv"));
  const bench::Sparse matrix(n);
  bench::Array<int> begin(matrix.begin), column(matrix.column);
  bench::Array<float> value(matrix.value), x(bench::numbers(n, 0, 1)), y(n);
  run.measure([&] {
    spmv(bench::blocks(n, 128), 128, begin, column, value, x, y, n);
    bench::finish();
  });
  y.report(run);
}
