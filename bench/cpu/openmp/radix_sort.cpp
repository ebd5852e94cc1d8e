// Radix sort by eight bits at a time: each thread counts and moves its part.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"

#include <omp.h>

constexpr int digits = 256;

static void pass(const unsigned* from, unsigned* to, int n, int shift, std::vector<int>& counts) {
#pragma omp parallel
  {
    const int thread = omp_get_thread_num(), threads = omp_get_num_threads();
    const long begin = long{n} * thread / threads, end = long{n} * (thread + 1) / threads;
    int* mine = &counts[static_cast<std::size_t>(thread) * digits];
    for (int d = 0; d < digits; ++d) mine[d] = 0;
    for (long i = begin; i < end; ++i) ++mine[from[i] >> shift & (digits - 1)];
#pragma omp barrier
#pragma omp single
    for (int d = 0, sum = 0; d < digits; ++d)
      for (int t = 0; t < threads; ++t) {
        int& count = counts[static_cast<std::size_t>(t) * digits + d];
        const int one = count;
        count = sum;
        sum += one;
      }
    for (long i = begin; i < end; ++i) to[mine[from[i] >> shift & (digits - 1)]++] = from[i];
  }
}

CASE(radix_sort) {
  const int n = bench::keys;
  const auto start = bench::words(n);
  std::vector<unsigned> keys, other(n);
  std::vector<int> counts(static_cast<std::size_t>(omp_get_max_threads()) * digits);
  run.measure([&] { keys = start; },
              [&] {
                for (int shift = 0; shift < 32; shift += 8) {
                  pass(keys.data(), other.data(), n, shift, counts);
                  keys.swap(other);
                }
              });
  run.result(keys.data(), keys.size());
}
