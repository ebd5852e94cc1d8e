// A matrix transposed in tiles through a buffer: cache lines are read and written whole.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"

#include <algorithm>

CASE(transpose) {
  const int n = bench::wide_matrix;
  constexpr int tile = 32;
  const auto in = bench::numbers(n * n, 0, 1);
  std::vector<float> out(n * n);
  run.measure([&] {
#pragma omp parallel for collapse(2) schedule(static)
    for (int row = 0; row < n; row += tile)
      for (int col = 0; col < n; col += tile) {
        float s[tile][tile + 1];
        for (int y = 0; y < tile; ++y)
          for (int x = 0; x < tile; ++x) s[x][y] = in[(row + y) * n + col + x];
        for (int x = 0; x < tile; ++x) std::copy(s[x], s[x] + tile, &out[(col + x) * n + row]);
      }
  });
  run.result(out.data(), out.size());
}
