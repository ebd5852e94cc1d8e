// k-means: the nearest centre of each point, sums by atomics in local memory, new centres.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

CASE(kmeans) {
  const int n = bench::points, features = bench::features, clusters = bench::clusters;
  const bench::Program program(
      "kmeans.cl", bench::macro("FEATURES", features) + bench::macro("CLUSTERS", clusters));
  const bench::Kernel assign(program.kernel("assign")), add_up(program.kernel("add_up")),
      divide(program.kernel("divide"));
  const auto start = bench::numbers(clusters * features, 0, 1, 2);
  bench::Array<float> points(bench::numbers(n * features, 0, 1)), centres(start),
      sums(clusters * features);
  bench::Array<int> nearest(n), sizes(clusters);
  run.measure([&] { centres.fill(start); },
              [&] {
                for (int i = 0; i < bench::rounds; ++i) {
                  assign(bench::blocks(n, 256), 256, points, centres, nearest, n);
                  add_up(32, 256, points, nearest, sums, sizes, n);
                  divide(clusters, features, centres, sums, sizes);
                }
                bench::finish();
              });
  centres.report(run);
}
