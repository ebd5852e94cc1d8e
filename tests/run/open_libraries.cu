// CUB and Thrust from their own sources, which Debian packages.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Device library | CUB and Thrust (packages libcub-dev, libthrust-dev): vectors, transform, reduce, block and warp collectives
#include "check.h"

#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_reduce.cuh>

#include <algorithm>
#include <numeric>

using std::vector;

constexpr int block_threads = 96;

__global__ void collectives(const int* values, int* scanned, int* block_sums, int* warp_maxima,
                            int n) {
  using Scan = cub::BlockScan<int, block_threads>;
  using Reduce = cub::BlockReduce<int, block_threads>;
  using Maximum = cub::WarpReduce<int>;
  __shared__ union {
    typename Scan::TempStorage scan;
    typename Reduce::TempStorage reduce;
    typename Maximum::TempStorage maximum[block_threads / 32];
  } shared;
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int value = i < n ? values[i] : 0;
  int prefix = 0;
  Scan(shared.scan).InclusiveSum(value, prefix);
  if (i < n) scanned[i] = prefix;
  __syncthreads();
  const int sum = Reduce(shared.reduce).Sum(value);
  if (threadIdx.x == 0) block_sums[blockIdx.x] = sum;
  __syncthreads();
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int most = Maximum(shared.maximum[warp]).Reduce(value, cub::Max());
  if (threadIdx.x % 32 == 0) warp_maxima[blockIdx.x * (block_threads / 32) + warp] = most;
}

static void check_collectives(check::Random& random, int n) {
  const vector<int> values = random.integers<int>(n, 0, 9999);
  const int blocks = (n + block_threads - 1) / block_threads;
  const int warps = blocks * (block_threads / 32);
  check::Array<int> in(values), scanned(n), sums(blocks), maxima(warps);
  collectives<<<blocks, block_threads>>>(in.data(), scanned.data(), sums.data(), maxima.data(), n);
  vector<int> want_scanned(n), want_sums(blocks), want_maxima(warps);
  for (int i = 0; i < n; ++i) {
    const int b = i / block_threads;
    want_sums[b] += values[i];
    want_scanned[i] = want_sums[b];
    int& most = want_maxima[i / 32];
    most = std::max(most, values[i]);
  }
  check::equal("block scan", scanned.get(), want_scanned);
  check::equal("block sums", sums.get(), want_sums);
  check::equal("warp maxima", maxima.get(), want_maxima);
}

struct Mix {
  __host__ __device__ long long operator()(int a, int b) const {
    return static_cast<long long>(a) * 3 - b;
  }
};

static void check_algorithms(check::Random& random, int n) {
  const vector<int> a = random.integers<int>(n, -999, 999), b = random.integers<int>(n, -999, 999);
  const thrust::device_vector<int> da(a.begin(), a.end()), db(b.begin(), b.end());
  thrust::device_vector<long long> mixed(n);
  thrust::transform(da.begin(), da.end(), db.begin(), mixed.begin(), Mix());
  vector<long long> got(n), want(n);
  thrust::copy(mixed.begin(), mixed.end(), got.begin());
  for (int i = 0; i < n; ++i) want[i] = Mix()(a[i], b[i]);
  check::equal("transform", got, want);
  const long long sum = thrust::reduce(mixed.begin(), mixed.end(), 17LL);
  CHECK_EQ(sum, std::accumulate(want.begin(), want.end(), 17LL));
}

int main() {
  check::Random random(41);
  for (const int n : {1, 31, 97, 4099}) check_collectives(random, n);
  for (const int n : {1, 1009, 100003}) check_algorithms(random, n);
  return check::finish();
}
