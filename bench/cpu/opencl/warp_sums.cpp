// Sums of 32 numbers each, in local memory: OpenCL 1.2 has no shuffles.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "device.h"

CASE(warp_sums) {
  const int n = bench::odd_vector;
  const bench::Program program("warp_sums.cl", bench::macro("BLOCK", bench::block));
  const bench::Kernel kernel(program.kernel("warp_sums"));
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) values[i] = i % 1000;
  bench::Array<int> in(values), out((n + 31) / 32);
  run.measure([&] {
    kernel(bench::blocks(n, bench::block), bench::block, in, out, n);
    bench::finish();
  });
  out.report(run);
}
