// Laplace's equation by Jacobi's method: each step tells how much changed, by shuffles in square
// blocks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

constexpr int side = 16, warps = side * side / 32;
constexpr unsigned everybody = 0xffffffff;

__device__ float warp_sum(float value) {
  for (int d = 16; d > 0; d >>= 1) value += __shfl_down_sync(everybody, value, d);
  return value;
}

__global__ void relax(const float* in, float* out, float* change, int n) {
  __shared__ float partial[warps];
  const int x = blockIdx.x * side + threadIdx.x, y = blockIdx.y * side + threadIdx.y;
  const int t = threadIdx.y * side + threadIdx.x;
  float moved = 0;
  if (x > 0 && y > 0 && x < n - 1 && y < n - 1) {
    const int i = y * n + x;
    const float now = 0.25f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n]);
    out[i] = now;
    moved = fabsf(now - in[i]);
  }
  moved = warp_sum(moved);
  if (t % 32 == 0) partial[t / 32] = moved;
  __syncthreads();
  if (t >= 32) return;
  moved = warp_sum(t < warps ? partial[t] : 0);
  if (t == 0) atomicAdd(change, moved);
}

CASE(jacobi) {
  const int n = bench::plate;
  const auto start = bench::numbers(n * n, 0, 1);
  bench::Array<float> a(start), b(start), change(bench::steps);
  const dim3 size(side, side);
  run.measure(
      [&] {
        a.fill(start);
        change.fill(std::vector<float>(bench::steps));
      },
      [&] {
        for (int i = 0; i < bench::steps; i += 2) {
          relax<<<bench::blocks(n, n, size), size>>>(a, b, change + i, n);
          relax<<<bench::blocks(n, n, size), size>>>(b, a, change + i + 1, n);
        }
        bench::finish();
      });
  change.report(run);
}
