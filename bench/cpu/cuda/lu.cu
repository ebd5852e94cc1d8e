// LU decomposition in place, without pivots: a tile on the diagonal, its row and column, the rest.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

constexpr int tile = 16;

__global__ void diagonal(float* a, int n, int first) {
  __shared__ float s[tile][tile];
  int t = threadIdx.x;
  float* corner = a + first * n + first;
  for (int y = 0; y < tile; ++y) s[y][t] = corner[y * n + t];
  __syncthreads();
  for (int k = 0; k < tile - 1; ++k) {
    if (t > k) {
      s[t][k] /= s[k][k];
      for (int x = k + 1; x < tile; ++x) s[t][x] -= s[t][k] * s[k][x];
    }
    __syncthreads();
  }
  for (int y = 0; y < tile; ++y) corner[y * n + t] = s[y][t];
}

/// The first half of a block does a tile right of the diagonal, the other half one below.
__global__ void borders(float* a, int n, int first) {
  __shared__ float d[tile][tile], right[tile][tile], below[tile][tile];
  int t = threadIdx.x % tile, other = first + (blockIdx.x + 1) * tile;
  bool is_right = threadIdx.x < tile;
  for (int y = 0; y < tile; ++y) {
    if (is_right) {
      d[y][t] = a[(first + y) * n + first + t];
      right[y][t] = a[(first + y) * n + other + t];
    } else {
      below[y][t] = a[(other + y) * n + first + t];
    }
  }
  __syncthreads();
  if (is_right) {  // a column of U
    for (int y = 1; y < tile; ++y)
      for (int k = 0; k < y; ++k) right[y][t] -= d[y][k] * right[k][t];
  } else {  // a row of L
    for (int x = 0; x < tile; ++x) {
      for (int k = 0; k < x; ++k) below[t][x] -= below[t][k] * d[k][x];
      below[t][x] /= d[x][x];
    }
  }
  __syncthreads();
  for (int y = 0; y < tile; ++y) {
    if (is_right)
      a[(first + y) * n + other + t] = right[y][t];
    else
      a[(other + y) * n + first + t] = below[y][t];
  }
}

__global__ void inside(float* a, int n, int first) {
  __shared__ float left[tile][tile], top[tile][tile];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = first + (blockIdx.y + 1) * tile + ty, col = first + (blockIdx.x + 1) * tile + tx;
  left[ty][tx] = a[row * n + first + tx];
  top[ty][tx] = a[(first + ty) * n + col];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < tile; ++k) sum += left[ty][k] * top[k][tx];
  a[row * n + col] -= sum;
}

CASE(lu) {
  const int n = bench::matrix;
  auto start = bench::numbers(n * n, 0, 1);
  for (int i = 0; i < n; ++i) start[i * n + i] += static_cast<float>(n);
  bench::Array<float> a(start);
  run.measure([&] { a.fill(start); },
              [&] {
                for (int first = 0; first < n; first += tile) {
                  const int rest = (n - first) / tile - 1;
                  diagonal<<<1, tile>>>(a, n, first);
                  if (rest == 0) break;
                  borders<<<rest, 2 * tile>>>(a, n, first);
                  inside<<<dim3(rest, rest), dim3(tile, tile)>>>(a, n, first);
                }
                bench::finish();
              });
  a.report(run);
}
