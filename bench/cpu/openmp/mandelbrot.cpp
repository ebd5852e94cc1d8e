// The Mandelbrot set: many pixels at once until the last of them is done.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"

CASE(mandelbrot) {
  const int n = bench::picture, limit = bench::picture_limit;
  constexpr int width = 32;  // enough vectors to hide latencies
  std::vector<int> out(n * n);
  run.measure([&] {
#pragma omp parallel for schedule(dynamic, 8)
    for (int y = 0; y < n; ++y)
      for (int first = 0; first < n; first += width) {
        const float ci = static_cast<float>(y) * (2.0f / n) - 1;
        float cr[width], zr[width] = {}, zi[width] = {};
        int count[width] = {};
        for (int x = 0; x < width; ++x) cr[x] = static_cast<float>(first + x) * (3.0f / n) - 2;
        int inside = 1;
        for (int i = 0; i < limit && inside; ++i) {
          inside = 0;
#pragma omp simd reduction(| : inside)
          for (int x = 0; x < width; ++x) {
            const float r = zr[x], m = zi[x];
            const int goes_on = r * r + m * m < 4 ? 1 : 0;  // once out, z is left alone
            zr[x] = goes_on ? r * r - m * m + cr[x] : r;
            zi[x] = goes_on ? 2 * r * m + ci : m;
            count[x] += goes_on;
            inside |= goes_on;
          }
        }
        for (int x = 0; x < width; ++x) out[y * n + first + x] = count[x];
      }
  });
  run.result(out.data(), out.size());
}
