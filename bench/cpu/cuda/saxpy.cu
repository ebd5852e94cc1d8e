// y = a x + y.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

__global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

CASE(saxpy) {
  const int n = bench::vector;
  const auto start = bench::numbers(n, 0, 1, 2);
  bench::Array<float> x(bench::numbers(n, 0, 1)), y(start);
  run.measure([&] { y.fill(start); },
              [&] {
                saxpy<<<bench::blocks(n, 256), 256>>>(n, 0.5f, x, y);
                bench::finish();
              });
  y.report(run);
}
