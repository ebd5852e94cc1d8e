// Speckle reduction: statistics of the image, diffusion coefficients, diffusion.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

constexpr float rate = 0.5f;
constexpr int threads = 256, sum_blocks = 64;

__global__ void sums(const float* image, float2* out, int count) {
  __shared__ float2 s[threads];
  int t = threadIdx.x;
  float2 sum = make_float2(0, 0);  // of values and of their squares
  for (int i = blockIdx.x * threads + t; i < count; i += gridDim.x * threads) {
    float value = image[i];
    sum.x += value;
    sum.y += value * value;
  }
  s[t] = sum;
  __syncthreads();
  for (int d = threads / 2; d > 0; d >>= 1) {
    if (t < d) {
      s[t].x += s[t + d].x;
      s[t].y += s[t + d].y;
    }
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void coefficients(const float* image, float* coefficient, int n, float speckle,
                             float scale) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  float c = image[y * n + x], inverse = 1 / c;
  float north = image[max(y - 1, 0) * n + x] - c, south = image[min(y + 1, n - 1) * n + x] - c;
  float west = image[y * n + max(x - 1, 0)] - c, east = image[y * n + min(x + 1, n - 1)] - c;
  float gradient = (north * north + south * south + west * west + east * east) * inverse * inverse;
  float laplacian = (north + south + west + east) * inverse;
  float spread = 1 + 0.25f * laplacian;
  float q = (0.5f * gradient - 0.0625f * laplacian * laplacian) / (spread * spread);
  float d = 1 / (1 + (q - speckle) * scale);
  coefficient[y * n + x] = fminf(fmaxf(d, 0), 1);
}

__global__ void diffuse(const float* image, const float* coefficient, float* out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  int i = y * n + x, south = min(y + 1, n - 1) * n + x, east = y * n + min(x + 1, n - 1);
  float c = image[i], here = coefficient[i];
  float flow = here * (image[max(y - 1, 0) * n + x] - c) +
               here * (image[y * n + max(x - 1, 0)] - c) + coefficient[south] * (image[south] - c) +
               coefficient[east] * (image[east] - c);
  out[i] = c + 0.25f * rate * flow;
}

static float speckle(const std::vector<float2>& partial, float count) {
  double sum = 0, squares = 0;
  for (const float2& one : partial) sum += one.x, squares += one.y;
  const double mean = sum / count;
  return static_cast<float>((squares / count - mean * mean) / (mean * mean));
}

CASE(srad) {
  const int n = bench::plate;
  const auto start = bench::numbers(n * n, 1, 2);
  bench::Array<float> image(start), other(n * n), coefficient(n * n);
  bench::Array<float2> partial(sum_blocks);
  const dim3 size(32, 8), grid = bench::blocks(n, n, size);
  run.measure([&] { image.fill(start); },
              [&] {
                float *from = image, *to = other;
                for (int i = 0; i < bench::speckle_steps; ++i) {
                  sums<<<sum_blocks, threads>>>(from, partial, n * n);
                  const float now = speckle(partial.values(), static_cast<float>(n) * n);
                  coefficients<<<grid, size>>>(from, coefficient, n, now, 1 / (now * (1 + now)));
                  diffuse<<<grid, size>>>(from, coefficient, to, n);
                  std::swap(from, to);
                }
                bench::finish();
              });
  image.report(run);
}
