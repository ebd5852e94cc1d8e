// Sums of 32 numbers each by shuffles, of as many as there are: threads behind the end return.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "device.h"

__global__ void warp_sums(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = in[i];
  for (int d = 16; d > 0; d >>= 1) {
    const int other = __shfl_down_sync(0xffffffff, sum, d);
    if (i + d < n) sum += other;
  }
  if (threadIdx.x % 32 == 0) out[i / 32] = sum;
}

CASE(warp_sums) {
  const int n = bench::odd_vector;
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) values[i] = i % 1000;
  bench::Array<int> in(values), out((n + 31) / 32);
  run.measure([&] {
    warp_sums<<<bench::blocks(n, bench::block), bench::block>>>(in, out, n);
    bench::finish();
  });
  out.report(run);
}
