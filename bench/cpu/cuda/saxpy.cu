// y = a x + y.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

__global__ void direct(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

/// The grid goes over the array.
__global__ void strided(int n, float a, const float* x, float* y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = a * x[i] + y[i];
}

template <class Kernel>
static void saxpy(bench::Run& run, Kernel kernel, dim3 blocks) {
  const int n = bench::vector;
  const auto start = bench::numbers(n, 0, 1, 2);
  bench::Array<float> x(bench::numbers(n, 0, 1)), y(start);
  run.measure([&] { y.fill(start); },
              [&] {
                kernel<<<blocks, 256>>>(n, 0.5f, x, y);
                bench::finish();
              });
  y.report(run);
}

CASE(saxpy) { saxpy(run, direct, bench::blocks(bench::vector, 256)); }
CASE(saxpy_strided) { saxpy(run, strided, 256); }
