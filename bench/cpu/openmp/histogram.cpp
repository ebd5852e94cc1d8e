// A histogram: each thread's own bins, four of each so that equal neighbours do not wait.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"

CASE(histogram) {
  const int n = bench::vector;
  const auto keys = bench::integers(n, bench::bins);
  std::vector<unsigned> bins(bench::bins);
  run.measure([&] {
    bins.assign(bench::bins, 0);
#pragma omp parallel
    {
      unsigned mine[4][bench::bins] = {};
#pragma omp for schedule(static)
      for (int i = 0; i < n; i += 4)
        for (int copy = 0; copy < 4; ++copy) ++mine[copy][keys[i + copy]];
#pragma omp critical
      for (int b = 0; b < bench::bins; ++b)
        bins[b] += mine[0][b] + mine[1][b] + mine[2][b] + mine[3][b];
    }
  });
  run.result(bins.data(), bins.size());
}
