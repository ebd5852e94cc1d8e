// y = a x + y.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

static void saxpy(bench::Run& run, const char* name, int groups) {
  const int n = bench::vector;
  const bench::Program program("saxpy.cl");
  const bench::Kernel kernel(program.kernel(name));
  const auto start = bench::numbers(n, 0, 1, 2);
  bench::Array<float> x(bench::numbers(n, 0, 1)), y(start);
  run.measure([&] { y.fill(start); },
              [&] {
                kernel(groups, 256, n, 0.5f, x, y);
                bench::finish();
              });
  y.report(run);
}

CASE(saxpy) { saxpy(run, "saxpy", bench::blocks(bench::vector, 256)); }
CASE(saxpy_strided) { saxpy(run, "strided", 256); }
