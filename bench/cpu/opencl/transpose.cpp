// A matrix transposed through tiles in local memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

CASE(transpose) {
  const int n = bench::wide_matrix, tile = 32, rows = 8;
  const bench::Program program("transpose.cl",
                               bench::macro("TILE", tile) + bench::macro("ROWS", rows));
  const bench::Kernel transpose(program.kernel("transpose"));
  bench::Array<float> in(bench::numbers(n * n, 0, 1)), out(n * n);
  run.measure([&] {
    transpose({n / tile, n / tile}, {tile, rows}, in, out, n);
    bench::finish();
  });
  out.report(run);
}
