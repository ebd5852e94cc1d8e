// An electromagnetic field in the plane: three kernels a step.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

#include <cmath>

__global__ void step_ey(float* ey, const float* hz, float source, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  int i = y * n + x;
  ey[i] = y == 0 ? source : ey[i] - 0.5f * (hz[i] - hz[i - n]);
}

__global__ void step_ex(float* ex, const float* hz, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n || x == 0) return;
  int i = y * n + x;
  ex[i] -= 0.5f * (hz[i] - hz[i - 1]);
}

__global__ void step_hz(const float* ex, const float* ey, float* hz, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n - 1 || y >= n - 1) return;
  int i = y * n + x;
  hz[i] -= 0.7f * (ex[i + 1] - ex[i] + ey[i + n] - ey[i]);
}

CASE(fdtd2d) {
  const int n = bench::plate;
  const std::vector<float> zero(n * n);
  const auto start = bench::numbers(n * n, 0, 1);
  bench::Array<float> ex(n * n), ey(n * n), hz(n * n);
  const dim3 size(32, 8), grid = bench::blocks(n, n, size);
  const auto prepare = [&] { ex.fill(zero), ey.fill(zero), hz.fill(start); };
  run.measure(prepare, [&] {
    for (int i = 0; i < bench::steps; ++i) {
      step_ey<<<grid, size>>>(ey, hz, std::exp(-0.01f * i), n);
      step_ex<<<grid, size>>>(ex, hz, n);
      step_hz<<<grid, size>>>(ex, ey, hz, n);
    }
    bench::finish();
  });
  hz.report(run);
}
