// Softmax of rows: a block for each row, reductions in shared memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

__global__ void softmax(const float* in, float* out, int columns) {
  __shared__ float s[256];
  int t = threadIdx.x;
  const float* row = in + blockIdx.x * columns;
  float most = -1e30f;
  for (int i = t; i < columns; i += blockDim.x) most = fmaxf(most, row[i]);
  s[t] = most;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d >>= 1) {
    if (t < d) s[t] = fmaxf(s[t], s[t + d]);
    __syncthreads();
  }
  most = s[0];
  __syncthreads();
  float sum = 0;
  for (int i = t; i < columns; i += blockDim.x) sum += expf(row[i] - most);
  s[t] = sum;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  sum = s[0];
  for (int i = t; i < columns; i += blockDim.x)
    out[blockIdx.x * columns + i] = expf(row[i] - most) / sum;
}

CASE(softmax) {
  const int rows = bench::batch_rows, columns = bench::batch_columns;
  bench::Array<float> in(bench::numbers(rows * columns, -4, 4)), out(rows * columns);
  run.measure([&] {
    softmax<<<rows, 256>>>(in, out, columns);
    bench::finish();
  });
  out.report(run);
}
