// A sparse matrix times a vector.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"

CASE(spmv) {
  const int n = bench::graph;
  const bench::Sparse matrix(n);
  const auto x = bench::numbers(n, 0, 1);
  std::vector<float> y(n);
  run.measure([&] {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; ++i) {
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int k = matrix.begin[i]; k < matrix.begin[i + 1]; ++k)
        sum += matrix.value[k] * x[matrix.column[k]];
      y[i] = sum;
    }
  });
  run.result(y.data(), y.size());
}
