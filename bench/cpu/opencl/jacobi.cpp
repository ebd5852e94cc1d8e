// Laplace's equation by Jacobi's method: each step tells how much changed, group by group.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

CASE(jacobi) {
  const int n = bench::plate, side = 16;
  const bench::Program program("jacobi.cl", bench::macro("SIDE", side));
  const bench::Kernel relax(program.kernel("relax")), add_up(program.kernel("add_up"));
  const auto start = bench::numbers(n * n, 0, 1);
  const bench::Extent size(side, side), groups = bench::blocks(n, n, size);
  const int count = static_cast<int>(groups.x * groups.y);
  bench::Array<float> a(start), b(start), partial(count), change(bench::steps);
  run.measure([&] { a.fill(start); },
              [&] {
                for (int i = 0; i < bench::steps; i += 2) {
                  relax(groups, size, a, b, partial, n);
                  add_up(1, side * side, partial, change, i, count);
                  relax(groups, size, b, a, partial, n);
                  add_up(1, side * side, partial, change, i + 1, count);
                }
                bench::finish();
              });
  change.report(run);
}
