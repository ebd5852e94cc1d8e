// Layer normalisation: a block for each row, sums by shuffles.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

__device__ float2 warp_sum(float2 value) {
  for (int d = 16; d > 0; d >>= 1) {
    value.x += __shfl_down_sync(0xffffffff, value.x, d);
    value.y += __shfl_down_sync(0xffffffff, value.y, d);
  }
  return value;
}

__global__ void layer_norm(const float* in, const float* scale, const float* shift, float* out,
                           int columns) {
  __shared__ float2 partial[32];
  int t = threadIdx.x, lane = t % 32, warp = t / 32;
  const float* row = in + blockIdx.x * columns;
  float2 sum = make_float2(0, 0);  // of values and of their squares
  for (int i = t; i < columns; i += blockDim.x) {
    float value = row[i];
    sum.x += value;
    sum.y += value * value;
  }
  sum = warp_sum(sum);
  if (lane == 0) partial[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = warp_sum(lane < blockDim.x / 32 ? partial[lane] : make_float2(0, 0));
    if (lane == 0) partial[0] = sum;
  }
  __syncthreads();
  float mean = partial[0].x / columns;
  float factor = rsqrtf(partial[0].y / columns - mean * mean + 1e-5f);
  for (int i = t; i < columns; i += blockDim.x)
    out[blockIdx.x * columns + i] = (row[i] - mean) * factor * scale[i] + shift[i];
}

CASE(layer_norm) {
  const int rows = bench::batch_rows, columns = bench::batch_columns;
  bench::Array<float> in(bench::numbers(rows * columns, -4, 4)),
      scale(bench::numbers(columns, 0.5f, 2, 2)), shift(bench::numbers(columns, -1, 1, 3)),
      out(rows * columns);
  run.measure([&] {
    layer_norm<<<rows, 256>>>(in, scale, shift, out, columns);
    bench::finish();
  });
  out.report(run);
}
