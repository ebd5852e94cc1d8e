// A product of vectors: threads go over them with the grid, warps and blocks add up.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

__device__ float block_sum(float sum) {
  __shared__ float partial[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int d = 16; d > 0; d >>= 1) sum += __shfl_down_sync(0xffffffff, sum, d);
  if (lane == 0) partial[warp] = sum;
  __syncthreads();
  sum = threadIdx.x < blockDim.x / 32 ? partial[lane] : 0;
  if (warp == 0)
    for (int d = 16; d > 0; d >>= 1) sum += __shfl_down_sync(0xffffffff, sum, d);
  return sum;
}

__global__ void products(const float* a, const float* b, float* sums, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += a[i] * b[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

__global__ void total(const float* sums, float* out) {
  const float sum = block_sum(sums[threadIdx.x]);
  if (threadIdx.x == 0) *out = sum;
}

CASE(dot) {
  const int n = bench::vector;
  bench::Array<float> a(bench::numbers(n, 0, 1)), b(bench::numbers(n, 0, 1, 2)), sums(bench::block),
      out(1);
  run.measure([&] {
    products<<<bench::block, bench::block>>>(a, b, sums, n);
    total<<<1, bench::block>>>(sums, out);
    bench::finish();
  });
  out.report(run);
}
