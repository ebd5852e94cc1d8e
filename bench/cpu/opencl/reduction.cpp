// Sums of blocks in local memory; reduction_shuffle does the same, OpenCL 1.2 has no shuffles.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "device.h"

static void sum(bench::Run& run) {
  const int n = bench::vector;
  const bench::Program program("reduction.cl", bench::macro("BLOCK", bench::block));
  const bench::Kernel kernel(program.kernel("block_sums"));
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) values[i] = i % 1000;
  bench::Array<int> in(values), out(n / bench::block);
  run.measure([&] {
    kernel(n / bench::block, bench::block, in, out, n);
    bench::finish();
  });
  out.report(run);
}

CASE(reduction) { sum(run); }
CASE(reduction_shuffle) { sum(run); }
