// Sums of all numbers up to each: blocks by shuffles within warps, then sums of blocks, then both
// added. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

constexpr int threads = 256, items = 4, chunk = threads * items;

/// The sum of `value` over all lanes up to this one.
__device__ int warp_scan(int value) {
  int lane = threadIdx.x % 32;
  for (int d = 1; d < 32; d *= 2) {
    int other = __shfl_up_sync(0xffffffff, value, d);
    if (lane >= d) value += other;
  }
  return value;
}

__global__ void scan_blocks(const int* in, int* out, int* sums, int n) {
  __shared__ int s[threads / 32];
  int t = threadIdx.x, first = blockIdx.x * chunk + t * items, mine[items], sum = 0;
  for (int i = 0; i < items; ++i) mine[i] = sum += first + i < n ? in[first + i] : 0;
  int lane = t % 32, warp = t / 32, up = warp_scan(sum);
  if (lane == 31) s[warp] = up;
  __syncthreads();
  if (warp == 0) {
    int all = warp_scan(lane < threads / 32 ? s[lane] : 0);
    if (lane < threads / 32) s[lane] = all;
  }
  __syncthreads();
  int before = up - sum + (warp > 0 ? s[warp - 1] : 0);
  for (int i = 0; i < items; ++i)
    if (first + i < n) out[first + i] = before + mine[i];
  if (t == threads - 1) sums[blockIdx.x] = before + sum;
}

__global__ void add_blocks(int* out, const int* sums, int n) {
  int before = blockIdx.x > 0 ? sums[blockIdx.x - 1] : 0;
  for (int i = threadIdx.x; i < chunk; i += threads) {
    int at = blockIdx.x * chunk + i;
    if (at < n) out[at] += before;
  }
}

CASE(scan) {
  const int n = bench::scanned, blocks = n / chunk, upper = blocks / chunk;
  bench::Array<int> in(bench::integers(n, 100)), out(n), sums(blocks), upper_sums(upper), all(1);
  run.measure([&] {
    scan_blocks<<<blocks, threads>>>(in, out, sums, n);
    scan_blocks<<<upper, threads>>>(sums, sums, upper_sums, blocks);
    scan_blocks<<<1, threads>>>(upper_sums, upper_sums, all, upper);
    add_blocks<<<upper, threads>>>(sums, upper_sums, blocks);
    add_blocks<<<blocks, threads>>>(out, sums, n);
    bench::finish();
  });
  out.report(run);
}
