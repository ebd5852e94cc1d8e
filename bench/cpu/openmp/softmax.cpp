// Softmax of rows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"

#include <algorithm>
#include <cmath>

/// In lanes: the compiler may not take a maximum in another order by itself.
static float largest(const float* row, int columns) {
  constexpr int width = 64;
  float most[width];
  std::copy(row, row + width, most);
  for (int i = width; i < columns; i += width)
#pragma omp simd
    for (int lane = 0; lane < width; ++lane)
      most[lane] = row[i + lane] > most[lane] ? row[i + lane] : most[lane];
  return *std::max_element(most, most + width);
}

CASE(softmax) {
  const int rows = bench::batch_rows, columns = bench::batch_columns;
  const auto in = bench::numbers(rows * columns, -4, 4);
  std::vector<float> out(rows * columns);
  run.measure([&] {
#pragma omp parallel for schedule(static)
    for (int r = 0; r < rows; ++r) {
      const float* row = in.data() + r * columns;
      float* to = out.data() + r * columns;
      const float most = largest(row, columns);
      float sum = 0;
      for (int i = 0; i < columns; ++i) to[i] = std::exp(row[i] - most);
#pragma omp simd reduction(+ : sum)
      for (int i = 0; i < columns; ++i) sum += to[i];
      const float scale = 1 / sum;
#pragma omp simd
      for (int i = 0; i < columns; ++i) to[i] *= scale;
    }
  });
  run.result(out.data(), out.size());
}
