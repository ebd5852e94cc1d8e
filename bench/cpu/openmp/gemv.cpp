// A matrix times a vector: four rows at once, so that x is read once for them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"

CASE(gemv) {
  const int rows = bench::gemv_rows, columns = bench::gemv_columns;
  const auto a = bench::numbers(rows * columns, 0, 1), x = bench::numbers(columns, 0, 1, 2);
  std::vector<float> y(rows);
  run.measure([&] {
    const float* in = x.data();
#pragma omp parallel for schedule(static)
    for (int row = 0; row < rows; row += 4) {
      const float* from = a.data() + row * columns;
      float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
#pragma omp simd reduction(+ : s0, s1, s2, s3)
      for (int i = 0; i < columns; ++i) {
        s0 += from[i] * in[i];
        s1 += from[i + columns] * in[i];
        s2 += from[i + 2 * columns] * in[i];
        s3 += from[i + 3 * columns] * in[i];
      }
      y[row] = s0, y[row + 1] = s1, y[row + 2] = s2, y[row + 3] = s3;
    }
  });
  run.result(y.data(), y.size());
}
