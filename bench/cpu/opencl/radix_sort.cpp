// Radix sort by four bits at a time: counts of groups, their offsets, and each key to its place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

#include <utility>

CASE(radix_sort) {
  const int n = bench::keys, threads = 256, items = 8, digits = 16, groups = n / (threads * items);
  const bench::Program program("radix_sort.cl",
                               bench::macro("THREADS", threads) + bench::macro("ITEMS", items));
  const bench::Kernel count(program.kernel("count")), offsets(program.kernel("offsets")),
      scatter(program.kernel("scatter"));
  const auto start = bench::words(n);
  bench::Array<unsigned> keys(start), other(n);
  bench::Array<int> counts(digits * groups);
  run.measure([&] { keys.fill(start); },
              [&] {
                const bench::Array<unsigned>*from = &keys, *to = &other;
                for (int shift = 0; shift < 32; shift += 4) {
                  count(groups, threads, *from, counts, shift);
                  offsets(1, threads, counts, digits * groups);
                  scatter(groups, threads, *from, counts, *to, shift);
                  std::swap(from, to);
                }
                bench::finish();
              });
  keys.report(run);
}
