// Kernels that rows, joined blocks, panels, rounds, block functions and guards are for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels.h"

static __global__ void product(const float* a, const float* b, float* c, int rows, int columns,
                               int depth) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= columns || y >= rows) return;
  float sum = 0;
  for (int k = 0; k < depth; ++k) sum += a[y * depth + k] * b[k * columns + x];
  c[y * columns + x] = sum;
}

static __global__ void stencil(const float* in, float* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  out[y * w + x] = in[y * w + max(x - 1, 0)] + 2 * in[y * w + x] +
                   3 * in[y * w + min(x + 1, w - 1)] + 5 * in[max(y - 1, 0) * w + x];
}

/// Stores to one place again and again.
static __global__ void stride(int n, float factor, const float* in, float* out) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    for (int k = 0; k < 5; ++k) out[i] += factor * in[(i + k) % n];
}

static __global__ void sums(const int* in, int* out, int n) {
  __shared__ int s[256];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int d = 128; d > 0; d /= 2) {
    if (t < d && t + d < blockDim.x) s[t] += s[t + d];
    __syncthreads();
  }
  if (t < 32) {
    const int all = __shfl_sync(0xffffffff, s[t], 0);
    if (t == 0) out[blockIdx.x] = all;
  }
}

extern const Kernels SETTING;
const Kernels SETTING = {
    [](dim3 g, dim3 b, const float* x, const float* y, float* z, int rows, int columns, int depth) {
      product<<<g, b>>>(x, y, z, rows, columns, depth);
    },
    [](dim3 g, dim3 b, const float* in, float* out, int w, int h) {
      stencil<<<g, b>>>(in, out, w, h);
    },
    [](dim3 g, dim3 b, int n, float factor, const float* in, float* out) {
      stride<<<g, b>>>(n, factor, in, out);
    },
    [](dim3 g, dim3 b, const int* in, int* out, int n) { sums<<<g, b>>>(in, out, n); },
};
