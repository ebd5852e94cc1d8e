// LU decomposition in place, without pivots: a tile on the diagonal, its row and column, the rest.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

CASE(lu) {
  const int n = bench::matrix, tile = 16;
  const bench::Program program("lu.cl", bench::macro("TILE", tile));
  const bench::Kernel diagonal(program.kernel("diagonal")), borders(program.kernel("borders")),
      inside(program.kernel("inside"));
  auto start = bench::numbers(n * n, 0, 1);
  for (int i = 0; i < n; ++i) start[i * n + i] += static_cast<float>(n);
  bench::Array<float> a(start);
  run.measure([&] { a.fill(start); },
              [&] {
                for (int first = 0; first < n; first += tile) {
                  const std::size_t rest = bench::blocks(n - first, tile) - 1;
                  diagonal(1, tile, a, n, first);
                  if (rest == 0) break;
                  borders(rest, 2 * tile, a, n, first);
                  inside({rest, rest}, {tile, tile}, a, n, first);
                }
                bench::finish();
              });
  a.report(run);
}
