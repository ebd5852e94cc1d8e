// Softmax of rows: a work-group for each row, reductions in local memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

CASE(softmax) {
  const int rows = bench::batch_rows, columns = bench::batch_columns;
  const bench::Program program("softmax.cl");
  const bench::Kernel softmax(program.kernel("softmax"));
  bench::Array<float> in(bench::numbers(rows * columns, -4, 4)), out(rows * columns);
  run.measure([&] {
    softmax(rows, 256, in, out, columns);
    bench::finish();
  });
  out.report(run);
}
