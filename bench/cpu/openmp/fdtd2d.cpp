// An electromagnetic field in the plane: rows in parallel, both electric fields in one sweep.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"

#include <algorithm>
#include <cmath>

static void step(float* ex, float* ey, float* hz, float source, int n) {
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int y = 0; y < n; ++y) {
      float *ex_row = ex + y * n, *ey_row = ey + y * n;
      const float *row = hz + y * n, *above = row - n;
      if (y == 0)
        std::fill(ey_row, ey_row + n, source);
      else
#pragma omp simd
        for (int x = 0; x < n; ++x) ey_row[x] -= 0.5f * (row[x] - above[x]);
#pragma omp simd
      for (int x = 1; x < n; ++x) ex_row[x] -= 0.5f * (row[x] - row[x - 1]);
    }
#pragma omp for schedule(static)
    for (int y = 0; y < n - 1; ++y) {
      const float *ex_row = ex + y * n, *ey_row = ey + y * n, *below = ey_row + n;
      float* row = hz + y * n;
#pragma omp simd
      for (int x = 0; x < n - 1; ++x)
        row[x] -= 0.7f * (ex_row[x + 1] - ex_row[x] + below[x] - ey_row[x]);
    }
  }
}

CASE(fdtd2d) {
  const int n = bench::plate;
  const std::vector<float> zero(n * n);
  const auto start = bench::numbers(n * n, 0, 1);
  auto ex = zero, ey = zero, hz = start;
  const auto prepare = [&] { ex = zero, ey = zero, hz = start; };
  run.measure(prepare, [&] {
    for (int i = 0; i < bench::steps; ++i)
      step(ex.data(), ey.data(), hz.data(), std::exp(-0.01f * static_cast<float>(i)), n);
  });
  run.result(hz.data(), hz.size());
}
