// Sums of blocks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"

static void sum(bench::Run& run) {
  const int n = bench::vector;
  constexpr int size = bench::block;
  std::vector<int> in(n), out(n / size);
  for (int i = 0; i < n; ++i) in[i] = i % 1000;
  run.measure([&] {
#pragma omp parallel for schedule(static)
    for (int block = 0; block < n / size; ++block) {
      int sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int i = 0; i < size; ++i) sum += in[block * size + i];
      out[block] = sum;
    }
  });
  run.result(out.data(), out.size());
}

CASE(reduction) { sum(run); }
CASE(reduction_shuffle) { sum(run); }
