// A matrix transposed in tiles of 8 x 8, 64 of them close together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"

/// The inner loops become shuffles of eight vectors.
static void small(const float* in, float* out, int n) {
  constexpr int side = 8;
  float s[side][side];
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) s[x][y] = in[y * n + x];
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) out[y * n + x] = s[y][x];
}

CASE(transpose) {
  const int n = bench::wide_matrix;
  constexpr int tile = 64;
  const auto in = bench::numbers(n * n, 0, 1);
  std::vector<float> out(n * n);
  run.measure([&] {
#pragma omp parallel for collapse(2) schedule(static)
    for (int row = 0; row < n; row += tile)
      for (int col = 0; col < n; col += tile)
        for (int y = row; y < row + tile; y += 8)
          for (int x = col; x < col + tile; x += 8) small(&in[y * n + x], &out[x * n + y], n);
  });
  run.result(out.data(), out.size());
}
