// Layer normalisation: a work-group for each row, sums in local memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

CASE(layer_norm) {
  const int rows = bench::batch_rows, columns = bench::batch_columns;
  const bench::Program program("layer_norm.cl");
  const bench::Kernel layer_norm(program.kernel("layer_norm"));
  bench::Array<float> in(bench::numbers(rows * columns, -4, 4)),
      scale(bench::numbers(columns, 0.5f, 2, 2)), shift(bench::numbers(columns, -1, 1, 3)),
      out(rows * columns);
  run.measure([&] {
    layer_norm(rows, 256, in, scale, shift, out, columns);
    bench::finish();
  });
  out.report(run);
}
