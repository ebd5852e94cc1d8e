// LU decomposition in place, without pivots: tiles of 32, products with results in registers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"

#include <algorithm>
#include <cstring>

constexpr int tile = 32, height = 4;
#if defined(__AVX512F__)
constexpr int width = 64;
#else
constexpr int width = 16;
#endif

/// The rows below the tile on the diagonal, too.
static void factor_column(float* a, int n, int first, int row) {
  for (int k = first; k < std::min(row, first + tile); ++k) {
    const float factor = a[row * n + k] /= a[k * n + k];
#pragma omp simd
    for (int x = k + 1; x < first + tile; ++x) a[row * n + x] -= factor * a[k * n + x];
  }
}

/// Columns right of the tile on the diagonal.
static void factor_row(float* a, int n, int first, int col, int columns) {
  for (int y = first + 1; y < first + tile; ++y)
    for (int k = first; k < y; ++k)
#pragma omp simd
      for (int x = col; x < col + columns; ++x) a[y * n + x] -= a[y * n + k] * a[k * n + x];
}

static void subtract_product(float* a, int n, int first, int row) {
  int col = first + tile;
  for (; col + width <= n; col += width) {
    float sum[height][width] = {};
    for (int k = first; k < first + tile; ++k)
      for (int r = 0; r < height; ++r)
#pragma omp simd
        for (int x = 0; x < width; ++x) sum[r][x] += a[(row + r) * n + k] * a[k * n + col + x];
    for (int r = 0; r < height; ++r)
#pragma omp simd
      for (int x = 0; x < width; ++x) a[(row + r) * n + col + x] -= sum[r][x];
  }
  for (int r = 0; r < height; ++r)
    for (int k = first; k < first + tile; ++k)
#pragma omp simd
      for (int x = col; x < n; ++x) a[(row + r) * n + x] -= a[(row + r) * n + k] * a[k * n + x];
}

CASE(lu) {
  const int n = bench::matrix;
  auto start = bench::numbers(n * n, 0, 1);
  for (int i = 0; i < n; ++i) start[i * n + i] += static_cast<float>(n);
  auto matrix = start;
  run.measure([&] { matrix = start; },
              [&] {
                float* a = matrix.data();
#pragma omp parallel
                for (int first = 0; first < n; first += tile) {
                  const int rest = first + tile;
#pragma omp single
                  for (int row = first + 1; row < rest; ++row) factor_column(a, n, first, row);
#pragma omp for schedule(static) nowait
                  for (int row = rest; row < n; ++row) factor_column(a, n, first, row);
#pragma omp for schedule(static)
                  for (int col = rest; col < n; col += tile) factor_row(a, n, first, col, tile);
#pragma omp for schedule(static)
                  for (int row = rest; row < n; row += height) subtract_product(a, n, first, row);
                }
              });
  run.result(matrix.data(), matrix.size());
}
