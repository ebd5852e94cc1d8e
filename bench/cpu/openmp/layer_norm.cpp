// Layer normalisation of rows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"

#include <cmath>

CASE(layer_norm) {
  const int rows = bench::batch_rows, columns = bench::batch_columns;
  const auto in = bench::numbers(rows * columns, -4, 4),
             scale = bench::numbers(columns, 0.5f, 2, 2), shift = bench::numbers(columns, -1, 1, 3);
  std::vector<float> out(rows * columns);
  run.measure([&] {
#pragma omp parallel for schedule(static)
    for (int r = 0; r < rows; ++r) {
      const float *row = in.data() + r * columns, *factors = scale.data(), *terms = shift.data();
      float* to = out.data() + r * columns;
      float sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum, squares)
      for (int i = 0; i < columns; ++i) {
        sum += row[i];
        squares += row[i] * row[i];
      }
      const float mean = sum / static_cast<float>(columns);
      const float factor =
          1 / std::sqrt(squares / static_cast<float>(columns) - mean * mean + 1e-5f);
#pragma omp simd
      for (int i = 0; i < columns; ++i) to[i] = (row[i] - mean) * factor * factors[i] + terms[i];
    }
  });
  run.result(out.data(), out.size());
}
