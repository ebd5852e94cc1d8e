// All shortest paths: a launch for each node on the way.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

CASE(floyd_warshall) {
  const int n = bench::nodes;
  const bench::Program program("floyd_warshall.cl");
  const bench::Kernel relax(program.kernel("relax"));
  auto edges = bench::integers(n * n, 10000);
  for (int i = 0; i < n; ++i) edges[i * n + i] = 0;
  bench::Array<int> distance(edges);
  const bench::Extent size(32, 8), grid = bench::blocks(n, n, size);
  run.measure([&] { distance.fill(edges); },
              [&] {
                for (int k = 0; k < n; ++k) relax(grid, size, distance, n, k);
                bench::finish();
              });
  distance.report(run);
}
