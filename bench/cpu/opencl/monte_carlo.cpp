// The price of an option by random walks, with Philox: a work-group for each batch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "device.h"

CASE(monte_carlo) {
  const int threads = 256;
  const bench::Program program("monte_carlo.cl", bench::macro("THREADS", threads));
  const bench::Kernel simulate(program.kernel("simulate"));
  bench::Array<float> sums(bench::batches);
  run.measure([&] {
    simulate(bench::batches, threads, sums, bench::draws);
    bench::finish();
  });
  sums.report(run);
}
