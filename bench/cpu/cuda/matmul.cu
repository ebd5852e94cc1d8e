// Matrix products: naive, with sums in memory, with tiles in shared memory and in registers.
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

constexpr int wide = 128, deep = 8, own = 8, across = wide / own;

/// Blocks compute `wide` x `wide` numbers, threads `own` x `own`.
__global__ void register_tiles(const float* a, const float* b, float* c, int n) {
  __shared__ float as[wide][deep], bs[deep][wide];
  const int t = threadIdx.x, row = t / across, col = t % across;
  const int first_row = blockIdx.y * wide, first_col = blockIdx.x * wide;
  float sums[own][own] = {}, left[own], right[own];
  for (int m = 0; m < n; m += deep) {
    for (int i = t; i < wide * deep; i += across * across) {
      as[i / deep][i % deep] = a[(first_row + i / deep) * n + m + i % deep];
      bs[i / wide][i % wide] = b[(m + i / wide) * n + first_col + i % wide];
    }
    __syncthreads();
    for (int k = 0; k < deep; ++k) {
      for (int i = 0; i < own; ++i) left[i] = as[row * own + i][k];
      for (int j = 0; j < own; ++j) right[j] = bs[k][col * own + j];
      for (int i = 0; i < own; ++i)
        for (int j = 0; j < own; ++j) sums[i][j] += left[i] * right[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < own; ++i)
    for (int j = 0; j < own; ++j)
      c[(first_row + row * own + i) * n + first_col + col * own + j] = sums[i][j];
}

template <class Kernel>
static void multiply(bench::Run& run, Kernel kernel, dim3 size, dim3 numbers) {
  const int n = bench::matrix;
  bench::Array<float> a(bench::numbers(n * n, 0, 1)), b(bench::numbers(n * n, 0, 1, 2)), c(n * n);
  run.measure([&] {
    kernel<<<bench::blocks(n, n, numbers), size>>>(a, b, c, n);
    bench::finish();
  });
  c.report(run);
}

template <class Kernel>
static void multiply(bench::Run& run, Kernel kernel) {
  multiply(run, kernel, dim3(tile, tile), dim3(tile, tile));
}

CASE(matmul) { multiply(run, matmul); }
CASE(matmul_in_memory) { multiply(run, matmul_in_memory); }
CASE(tiled) { multiply(run, tiled); }
CASE(register_tiles) { multiply(run, register_tiles, across * across, dim3(wide, wide)); }
