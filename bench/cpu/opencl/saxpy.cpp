// y = a x + y.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

CASE(saxpy) {
  const int n = bench::vector;
  const bench::Program program("saxpy.cl");
  const bench::Kernel saxpy(program.kernel("saxpy"));
  const auto start = bench::numbers(n, 0, 1, 2);
  bench::Array<float> x(bench::numbers(n, 0, 1)), y(start);
  run.measure([&] { y.fill(start); },
              [&] {
                saxpy(bench::blocks(n, 256), 256, n, 0.5f, x, y);
                bench::finish();
              });
  y.report(run);
}
