// A product of vectors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

CASE(dot) {
  const int n = bench::vector;
  const bench::Program program("dot.cl", bench::macro("BLOCK", bench::block));
  const bench::Kernel products(program.kernel("products")), total(program.kernel("total"));
  bench::Array<float> a(bench::numbers(n, 0, 1)), b(bench::numbers(n, 0, 1, 2)), sums(bench::block),
      out(1);
  run.measure([&] {
    products(bench::block, bench::block, a, b, sums, n);
    total(1, bench::block, sums, out);
    bench::finish();
  });
  out.report(run);
}
