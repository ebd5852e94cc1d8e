// How mixed an image is around each pixel: a thread counts the shades of its window in an array of
// its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

constexpr int radius = bench::radius, window = 2 * radius + 1, shades = bench::shades;

__constant__ float weight[window * window + 1];  // -p log p of so many of a window

__global__ void entropy(const int* in, float* out, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  int count[shades] = {};
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx)
      ++count[in[min(max(y + dy, 0), n - 1) * n + min(max(x + dx, 0), n - 1)]];
  float sum = 0;
  for (int shade = 0; shade < shades; ++shade) sum += weight[count[shade]];
  out[y * n + x] = sum;
}

CASE(entropy) {
  const int n = bench::image;
  const auto weights = bench::entropies(window * window);
  bench::check(cudaMemcpyToSymbol(weight, weights.data(), sizeof weight));
  bench::Array<int> in(bench::integers(n * n, shades));
  bench::Array<float> out(n * n);
  const dim3 size(32, 8);
  run.measure([&] {
    entropy<<<bench::blocks(n, n, size), size>>>(in, out, n);
    bench::finish();
  });
  out.report(run);
}
