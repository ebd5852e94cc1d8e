// Laplace's equation by Jacobi's method: rows in parallel, cells of a row in vectors, and how much
// changed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"

#include <cmath>

static float relax(const float* in, float* out, int n) {
  float change = 0;
#pragma omp parallel for schedule(static) reduction(+ : change)
  for (int y = 1; y < n - 1; ++y) {
    const float *row = in + y * n, *north = row - n, *south = row + n;
    float* to = out + y * n;
    float moved = 0;
#pragma omp simd reduction(+ : moved)
    for (int x = 1; x < n - 1; ++x) {
      const float now = 0.25f * (row[x - 1] + row[x + 1] + north[x] + south[x]);
      to[x] = now;
      moved += std::fabs(now - row[x]);
    }
    change += moved;
  }
  return change;
}

CASE(jacobi) {
  const int n = bench::plate;
  const auto start = bench::numbers(n * n, 0, 1);
  auto a = start, b = start;
  std::vector<float> change(bench::steps);
  run.measure([&] { a = start; },
              [&] {
                for (int i = 0; i < bench::steps; i += 2) {
                  change[i] = relax(a.data(), b.data(), n);
                  change[i + 1] = relax(b.data(), a.data(), n);
                }
              });
  run.result(change.data(), change.size());
}
