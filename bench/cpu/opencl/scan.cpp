// Sums of all numbers up to each: groups in local memory, then sums of groups, then both added.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

CASE(scan) {
  const int n = bench::scanned, threads = 256, items = 4, blocks = n / (threads * items),
            upper = blocks / (threads * items);
  const bench::Program program("scan.cl",
                               bench::macro("THREADS", threads) + bench::macro("ITEMS", items));
  const bench::Kernel scan_blocks(program.kernel("scan_blocks")),
      add_blocks(program.kernel("add_blocks"));
  bench::Array<int> in(bench::integers(n, 100)), out(n), sums(blocks), upper_sums(upper), all(1);
  run.measure([&] {
    scan_blocks(blocks, threads, in, out, sums, n);
    scan_blocks(upper, threads, sums, sums, upper_sums, blocks);
    scan_blocks(1, threads, upper_sums, upper_sums, all, upper);
    add_blocks(upper, threads, sums, upper_sums, blocks);
    add_blocks(blocks, threads, out, sums, n);
    bench::finish();
  });
  out.report(run);
}
