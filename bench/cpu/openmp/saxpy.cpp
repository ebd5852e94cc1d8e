// y = a x + y.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"

static void saxpy(bench::Run& run) {
  const int n = bench::vector;
  const auto x = bench::numbers(n, 0, 1), start = bench::numbers(n, 0, 1, 2);
  auto y = start;
  const float* from = x.data();
  float* to = y.data();
  run.measure([&] { y = start; },
              [&] {
#pragma omp parallel for simd schedule(static)
                for (int i = 0; i < n; ++i) to[i] = 0.5f * from[i] + to[i];
              });
  run.result(to, n);
}

CASE(saxpy) { saxpy(run); }
CASE(saxpy_strided) { saxpy(run); }
