// A convolution of an image: a tile and its halo in shared memory, weights in constant memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

constexpr int radius = bench::radius, window = 2 * radius + 1, width = 32, height = 8;

__constant__ float weights[window * window];

__global__ void convolve(const float* in, float* out, int n) {
  __shared__ float s[height + 2 * radius][width + 2 * radius];
  int left = blockIdx.x * width, top = blockIdx.y * height;
  for (int y = threadIdx.y; y < height + 2 * radius; y += height)
    for (int x = threadIdx.x; x < width + 2 * radius; x += width)
      s[y][x] =
          in[min(max(top + y - radius, 0), n - 1) * n + min(max(left + x - radius, 0), n - 1)];
  __syncthreads();
  int x = left + threadIdx.x, y = top + threadIdx.y;
  if (x >= n || y >= n) return;
  float sum = 0;
  for (int dy = 0; dy < window; ++dy)
    for (int dx = 0; dx < window; ++dx)
      sum += weights[dy * window + dx] * s[threadIdx.y + dy][threadIdx.x + dx];
  out[y * n + x] = sum;
}

CASE(convolution) {
  const int n = bench::image;
  const auto factors = bench::numbers(window * window, 0, 0.1f, 2);
  bench::check(cudaMemcpyToSymbol(weights, factors.data(), sizeof weights));
  bench::Array<float> in(bench::numbers(n * n, 0, 1)), out(n * n);
  const dim3 size(width, height);
  run.measure([&] {
    convolve<<<bench::blocks(n, n, size), size>>>(in, out, n);
    bench::finish();
  });
  out.report(run);
}
