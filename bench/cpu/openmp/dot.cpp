// A product of vectors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"

CASE(dot) {
  const int n = bench::vector;
  const auto a = bench::numbers(n, 0, 1), b = bench::numbers(n, 0, 1, 2);
  float out = 0;
  run.measure([&] {
    float sum = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : sum)
    for (int i = 0; i < n; ++i) sum += a[i] * b[i];
    out = sum;
  });
  run.result(&out, 1);
}
