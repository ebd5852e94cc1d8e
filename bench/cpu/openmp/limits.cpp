// What the machine can do at most: fused multiply-adds, and triads in cache and in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../form.h"

#include <omp.h>

#include <vector>

/// Independent chains in registers, enough to hide the latency.
CASE(limit_fma) {
#if defined(__AVX512F__)
  constexpr int width = 16;
#elif defined(__AVX__)
  constexpr int width = 8;
#else
  constexpr int width = 4;
#endif
  using Vector [[gnu::vector_size(width * sizeof(float))]] = float;
  constexpr int chains = 12, rounds = 1 << 20;
  float total = 0;
  run.measure([&] {
#pragma omp parallel reduction(+ : total)
    {
      Vector sum[chains], factor, term;
      for (int i = 0; i < width; ++i) factor[i] = 0.999f, term[i] = 0.001f;
      for (int c = 0; c < chains; ++c) sum[c] = term * static_cast<float>(c);
      for (int k = 0; k < rounds; ++k) {
#pragma clang loop unroll(full)
        for (int c = 0; c < chains; ++c) sum[c] = sum[c] * factor + term;
      }
      for (const Vector& one : sum) total += one[0];
    }
  });
  run.result(&total, 1);
  run.did({2.0 * width * chains * rounds * omp_get_max_threads()});
}

/// a = b + s c.
static void triad(bench::Run& run, int n, int repeats, bool in_cache) {
  std::vector<float> a(n), b(n, 1), c(n, 2);
  float *to = a.data(), *left = b.data(), *right = c.data();
  run.measure([&] {
    for (int r = 0; r < repeats; ++r) {
#pragma omp parallel for simd schedule(static)
      for (int i = 0; i < n; ++i) to[i] = left[i] + 0.5f * right[i];
    }
  });
  run.result(to, 16);
  run.did({0, 12.0 * n * repeats, in_cache});
}

CASE(limit_memory) { triad(run, 1 << 25, 1, false); }
CASE(limit_cache) { triad(run, 1 << 20, 20, true); }
