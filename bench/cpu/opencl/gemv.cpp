// A matrix times a vector: 32 work-items for each row, their sums in local memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

CASE(gemv) {
  const int rows = bench::gemv_rows, columns = bench::gemv_columns;
  const bench::Program program("gemv.cl");
  const bench::Kernel gemv(program.kernel("gemv"));
  bench::Array<float> a(bench::numbers(rows * columns, 0, 1)), x(bench::numbers(columns, 0, 1, 2)),
      y(rows);
  run.measure([&] {
    gemv(bench::blocks(32 * rows, 128), 128, a, x, y, rows, columns);
    bench::finish();
  });
  y.report(run);
}
