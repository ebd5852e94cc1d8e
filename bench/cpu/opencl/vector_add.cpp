// c = a + b.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

CASE(vector_add) {
  const int n = bench::vector;
  const bench::Program program("vector_add.cl");
  const bench::Kernel vector_add(program.kernel("vector_add"));
  bench::Array<float> a(bench::numbers(n, 0, 1)), b(bench::numbers(n, 0, 1, 2)), c(n);
  run.measure([&] {
    vector_add(bench::blocks(n, 256), 256, a, b, c, n);
    bench::finish();
  });
  c.report(run);
}
