// A histogram: a group's own bins in local memory, added to all at the end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

CASE(histogram) {
  const int n = bench::vector;
  const bench::Program program("histogram.cl", bench::macro("BINS", bench::bins));
  const bench::Kernel count(program.kernel("count"));
  bench::Array<int> keys(bench::integers(n, bench::bins));
  const std::vector<unsigned> zero(bench::bins);
  bench::Array<unsigned> bins(zero);
  run.measure([&] { bins.fill(zero); },
              [&] {
                count(256, 256, keys, n, bins);
                bench::finish();
              });
  bins.report(run);
}
