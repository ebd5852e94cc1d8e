// Sums of blocks: in shared memory, and by shuffles within warps.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "device.h"

__global__ void block_sums(const int* in, int* out, int n) {
  __shared__ int s[bench::block];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

__device__ int warp_sum(int value) {
  for (int d = 16; d > 0; d >>= 1) value += __shfl_down_sync(0xffffffff, value, d);
  return value;
}

__global__ void shuffled_sums(const int* in, int* out, int n) {
  __shared__ int partial[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int sum = warp_sum(i < n ? in[i] : 0);
  if (lane == 0) partial[warp] = sum;
  __syncthreads();
  if (warp > 0) return;
  sum = warp_sum(lane < blockDim.x / 32 ? partial[lane] : 0);
  if (lane == 0) out[blockIdx.x] = sum;
}

template <class Kernel>
static void sum(bench::Run& run, Kernel kernel) {
  const int n = bench::vector;
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) values[i] = i % 1000;
  bench::Array<int> in(values), out(n / bench::block);
  run.measure([&] {
    kernel<<<n / bench::block, bench::block>>>(in, out, n);
    bench::finish();
  });
  out.report(run);
}

CASE(reduction) { sum(run, block_sums); }
CASE(reduction_shuffle) { sum(run, shuffled_sums); }
