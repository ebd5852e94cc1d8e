// A convolution of an image: rows in parallel, all weights for a stretch of pixels, borders apart.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"

#include <algorithm>

constexpr int radius = bench::radius, window = 2 * radius + 1, stretch = 32;

CASE(convolution) {
  const int n = bench::image;
  const auto weights = bench::numbers(window * window, 0, 0.1f, 2),
             in = bench::numbers(n * n, 0, 1);
  std::vector<float> out(n * n);
  run.measure([&] {
#pragma omp parallel for schedule(static)
    for (int y = 0; y < n; ++y) {
      const float* rows[window];
      for (int dy = 0; dy < window; ++dy)
        rows[dy] = in.data() + std::clamp(y + dy - radius, 0, n - 1) * n;
      float* to = out.data() + y * n;
      const auto border = [&](int x) {
        float sum = 0;
        for (int dy = 0; dy < window; ++dy)
          for (int dx = 0; dx < window; ++dx)
            sum += weights[dy * window + dx] * rows[dy][std::clamp(x + dx - radius, 0, n - 1)];
        to[x] = sum;
      };
      int x = 0;
      for (; x < radius; ++x) border(x);
      for (; x + stretch + radius <= n; x += stretch) {
        float sum[stretch] = {};
        for (int dy = 0; dy < window; ++dy)
          for (int dx = 0; dx < window; ++dx) {
            const float weight = weights[dy * window + dx];
            const float* from = rows[dy] + x + dx - radius;
#pragma omp simd
            for (int i = 0; i < stretch; ++i) sum[i] += weight * from[i];
          }
        std::copy(sum, sum + stretch, to + x);
      }
      for (; x < n; ++x) border(x);
    }
  });
  run.result(out.data(), out.size());
}
