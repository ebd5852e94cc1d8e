// Sums of 32 numbers each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"

#include <algorithm>

CASE(warp_sums) {
  const int n = bench::odd_vector;
  std::vector<int> in(n), out((n + 31) / 32);
  for (int i = 0; i < n; ++i) in[i] = i % 1000;
  const auto sum = [&](int first, int count) {
    int sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < count; ++i) sum += in[first + i];
    out[first / 32] = sum;
  };
  run.measure([&] {
#pragma omp parallel for schedule(static)
    for (int first = 0; first < n - 31; first += 32) sum(first, 32);
    if (n % 32 != 0) sum(n / 32 * 32, n % 32);
  });
  run.result(out.data(), out.size());
}
