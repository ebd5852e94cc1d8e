// Heat on a chip: rows in parallel, cells of a row in vectors, borders apart.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"

#include <algorithm>

static void step(const float* power, const float* in, float* out, int n) {
  constexpr float cap = 0.5f, rx = 0.1f, ry = 0.1f, rz = 0.01f;
#pragma omp parallel for schedule(static)
  for (int y = 0; y < n; ++y) {
    const float *row = in + y * n, *north = in + std::max(y - 1, 0) * n,
                *south = in + std::min(y + 1, n - 1) * n, *heat = power + y * n;
    float* to = out + y * n;
    const auto cell = [&](int x, int west, int east) {
      const float c = row[x];
      to[x] = c + cap * (heat[x] + (north[x] + south[x] - 2 * c) * ry +
                         (row[west] + row[east] - 2 * c) * rx + (80.0f - c) * rz);
    };
    cell(0, 0, 1);
#pragma omp simd
    for (int x = 1; x < n - 1; ++x) cell(x, x - 1, x + 1);
    cell(n - 1, n - 2, n - 1);
  }
}

static void heat(bench::Run& run, int n = bench::plate, int steps = bench::steps) {
  const auto power = bench::numbers(n * n, 0, 1), start = bench::numbers(n * n, 70, 90, 2);
  auto a = start, b = start;
  run.measure([&] { a = start; },
              [&] {
                for (int i = 0; i < steps; i += 2) {
                  step(power.data(), a.data(), b.data(), n);
                  step(power.data(), b.data(), a.data(), n);
                }
              });
  run.result(a.data(), a.size());
}

CASE(hotspot) { heat(run); }
CASE(hotspot_tiled) { heat(run); }
CASE(hotspot_large) { heat(run, bench::large_plate, bench::few_steps); }
