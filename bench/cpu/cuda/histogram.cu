// A histogram: a block's own bins in shared memory, added to all at the end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

__global__ void count(const int* keys, int n, unsigned* bins) {
  __shared__ unsigned mine[bench::bins];
  for (int b = threadIdx.x; b < bench::bins; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&mine[keys[i]], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < bench::bins; b += blockDim.x)
    if (mine[b]) atomicAdd(&bins[b], mine[b]);
}

CASE(histogram) {
  const int n = bench::vector;
  bench::Array<int> keys(bench::integers(n, bench::bins));
  const std::vector<unsigned> zero(bench::bins);
  bench::Array<unsigned> bins(zero);
  run.measure([&] { bins.fill(zero); },
              [&] {
                count<<<256, 256>>>(keys, n, bins);
                bench::finish();
              });
  bins.report(run);
}
