// Heat on a chip: straight from memory, and with a tile and its halo in shared memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

constexpr float cap = 0.5f, rx = 0.1f, ry = 0.1f, rz = 0.01f;
constexpr int width = 32, height = 8;

__global__ void hotspot(const float* power, const float* in, float* out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  float c = in[y * n + x];
  float north = in[max(y - 1, 0) * n + x], south = in[min(y + 1, n - 1) * n + x];
  float west = in[y * n + max(x - 1, 0)], east = in[y * n + min(x + 1, n - 1)];
  out[y * n + x] = c + cap * (power[y * n + x] + (north + south - 2 * c) * ry +
                              (west + east - 2 * c) * rx + (80.0f - c) * rz);
}

__global__ void hotspot_tiled(const float* power, const float* in, float* out, int n) {
  __shared__ float s[height + 2][width + 2];
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  int x = blockIdx.x * width + threadIdx.x, y = blockIdx.y * height + threadIdx.y;
  int row = min(y, n - 1), col = min(x, n - 1);
  s[ty][tx] = in[row * n + col];
  if (tx == 1) s[ty][0] = in[row * n + max(x - 1, 0)];
  if (tx == width) s[ty][tx + 1] = in[row * n + min(x + 1, n - 1)];
  if (ty == 1) s[0][tx] = in[max(y - 1, 0) * n + col];
  if (ty == height) s[ty + 1][tx] = in[min(y + 1, n - 1) * n + col];
  __syncthreads();
  if (x >= n || y >= n) return;
  float c = s[ty][tx];
  out[y * n + x] = c + cap * (power[y * n + x] + (s[ty - 1][tx] + s[ty + 1][tx] - 2 * c) * ry +
                              (s[ty][tx - 1] + s[ty][tx + 1] - 2 * c) * rx + (80.0f - c) * rz);
}

template <class Kernel>
static void heat(bench::Run& run, Kernel kernel, int n = bench::plate, int steps = bench::steps) {
  const auto start = bench::numbers(n * n, 70, 90, 2);
  bench::Array<float> power(bench::numbers(n * n, 0, 1)), a(start), b(n * n);
  const dim3 size(width, height);
  run.measure([&] { a.fill(start); },
              [&] {
                for (int i = 0; i < steps; i += 2) {
                  kernel<<<bench::blocks(n, n, size), size>>>(power, a, b, n);
                  kernel<<<bench::blocks(n, n, size), size>>>(power, b, a, n);
                }
                bench::finish();
              });
  a.report(run);
}

CASE(hotspot) { heat(run, hotspot); }
CASE(hotspot_tiled) { heat(run, hotspot_tiled); }
CASE(hotspot_large) { heat(run, hotspot, bench::large_plate, bench::few_steps); }
