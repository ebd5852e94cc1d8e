// The Mandelbrot set: threads that leave a loop at different times.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "device.h"

__global__ void mandelbrot(int* out, int n, int limit) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  float cr = x * (3.0f / n) - 2, ci = y * (2.0f / n) - 1, zr = 0, zi = 0;
  int i = 0;
  while (i < limit && zr * zr + zi * zi < 4) {
    float t = zr * zr - zi * zi + cr;
    zi = 2 * zr * zi + ci;
    zr = t;
    ++i;
  }
  out[y * n + x] = i;
}

CASE(mandelbrot) {
  const int n = bench::picture;
  bench::Array<int> out(n * n);
  const dim3 size(32, 8);
  run.measure([&] {
    mandelbrot<<<bench::blocks(n, n, size), size>>>(out, n, bench::picture_limit);
    bench::finish();
  });
  out.report(run);
}
