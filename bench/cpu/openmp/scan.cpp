// Sums of all numbers up to each: each thread's part twice, first only its sum.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"

#include <omp.h>

CASE(scan) {
  const int n = bench::scanned;
  const auto in = bench::integers(n, 100);
  std::vector<int> out(n), sums(omp_get_max_threads() + 1);
  run.measure([&] {
#pragma omp parallel
    {
      const int thread = omp_get_thread_num(), threads = omp_get_num_threads();
      const long begin = long{n} * thread / threads, end = long{n} * (thread + 1) / threads;
      const int* from = in.data();
      int *to = out.data(), sum = 0;
#pragma omp simd reduction(+ : sum)
      for (long i = begin; i < end; ++i) sum += from[i];
      sums[thread + 1] = sum;
#pragma omp barrier
      sum = 0;
      for (int t = 0; t <= thread; ++t) sum += sums[t];
      for (long i = begin; i < end; ++i) to[i] = sum += from[i];
    }
  });
  run.result(out.data(), out.size());
}
