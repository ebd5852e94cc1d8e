// c = a + b.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"

CASE(vector_add) {
  const int n = bench::vector;
  const auto a = bench::numbers(n, 0, 1), b = bench::numbers(n, 0, 1, 2);
  std::vector<float> c(n);
  const float *left = a.data(), *right = b.data();
  float* to = c.data();
  run.measure([&] {
#pragma omp parallel for simd schedule(static)
    for (int i = 0; i < n; ++i) to[i] = left[i] + right[i];
  });
  run.result(to, n);
}
