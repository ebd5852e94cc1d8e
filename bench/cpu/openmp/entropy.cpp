// How mixed an image is around each pixel: rows in parallel; from pixel to pixel a column comes to
// the window and one goes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"

#include <algorithm>

constexpr int radius = bench::radius, window = 2 * radius + 1, shades = bench::shades;

CASE(entropy) {
  const int n = bench::image;
  const auto weight = bench::entropies(window * window);
  const auto in = bench::integers(n * n, shades);
  std::vector<float> out(n * n);
  run.measure([&] {
#pragma omp parallel for schedule(static)
    for (int y = 0; y < n; ++y) {
      const int* rows[window];
      for (int dy = 0; dy < window; ++dy)
        rows[dy] = in.data() + std::clamp(y + dy - radius, 0, n - 1) * n;
      int count[shades] = {};
      const auto change = [&](int x, int by) {
        for (const int* row : rows) count[row[std::clamp(x, 0, n - 1)]] += by;
      };
      for (int x = -radius; x < radius; ++x) change(x, 1);
      for (int x = 0; x < n; ++x) {
        change(x + radius, 1);
        float sum = 0;
        for (int shade = 0; shade < shades; ++shade) sum += weight[count[shade]];
        out[y * n + x] = sum;
        change(x - radius, -1);
      }
    }
  });
  run.result(out.data(), out.size());
}
