// Matrix products: naive, with sums kept in memory, and with tiles in shared memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

__global__ void matmul(const float* a, const float* b, float* c, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || col >= n) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}

__global__ void matmul_in_memory(const float* a, const float* b, float* c, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n && col < n) {
    c[row * n + col] = 0;
    for (int k = 0; k < n; ++k) c[row * n + col] += a[row * n + k] * b[k * n + col];
  }
}

constexpr int tile = 16;

__global__ void tiled(const float* a, const float* b, float* c, int n) {
  __shared__ float as[tile][tile], bs[tile][tile];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * tile + ty,
      col = blockIdx.x * tile + tx;
  float sum = 0;
  for (int m = 0; m < n / tile; ++m) {
    as[ty][tx] = a[row * n + m * tile + tx];
    bs[ty][tx] = b[(m * tile + ty) * n + col];
    __syncthreads();
    for (int k = 0; k < tile; ++k) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  c[row * n + col] = sum;
}

template <class Kernel>
static void multiply(bench::Run& run, Kernel kernel) {
  const int n = bench::matrix;
  bench::Array<float> a(bench::numbers(n * n, 0, 1)), b(bench::numbers(n * n, 0, 1, 2)), c(n * n);
  const dim3 size(tile, tile);
  run.measure([&] {
    kernel<<<bench::blocks(n, n, size), size>>>(a, b, c, n);
    bench::finish();
  });
  c.report(run);
}

CASE(matmul) { multiply(run, matmul); }
CASE(matmul_in_memory) { multiply(run, matmul_in_memory); }
CASE(tiled) { multiply(run, tiled); }
