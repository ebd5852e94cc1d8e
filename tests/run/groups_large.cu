// Cooperative groups beyond a warp: large tiles, clusters of one block, algorithms with atomics.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -arch=sm_90
// FEATURE: Cooperative groups | tiles of 64 to 1024 threads (block_tile_memory): sync, ranks, shfl, any, all, reduce, inclusive_scan, exclusive_scan, tiles cut from them
// FEATURE: Cooperative groups | reduce_store_async, reduce_update_async, inclusive_scan_update, exclusive_scan_update with cuda::atomic
// FEATURE: Cooperative groups | this_cluster, clusters of one block
#include "check.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>

#include <algorithm>

namespace cg = cooperative_groups;

constexpr int facts = 12;

template <unsigned Size>
__global__ void __launch_bounds__(1024) large_tiles(const int* in, int* out) {
  __shared__ cg::block_tile_memory<1024> memory;
  __shared__ int cells[1024];
  auto block = cg::this_thread_block(memory);
  auto tile = cg::tiled_partition<Size>(block);
  const unsigned t = block.thread_rank();
  const int value = in[blockIdx.x * block.size() + t];
  int* o = out + (blockIdx.x * block.size() + t) * facts;
  o[0] = int(tile.thread_rank() + 2000 * tile.meta_group_rank() + 100000 * tile.meta_group_size());
  o[1] = int(tile.size() + tile.num_threads());
  o[2] = tile.shfl(value, 37);
  o[3] = tile.any(value > 990) + 2 * tile.all(value > -990);
  o[4] = cg::reduce(tile, value, cg::plus<int>());
  o[5] = cg::reduce(tile, value, cg::greater<int>());
  o[6] = cg::inclusive_scan(tile, value);
  o[7] = cg::exclusive_scan(tile, value, cg::plus<int>());
  cells[t] = value;
  // Tiles go different numbers of rounds.
  for (unsigned i = 0; i <= tile.meta_group_rank() % 3; ++i) {
    tile.sync();
    const int next = cells[t - tile.thread_rank() + (tile.thread_rank() + 1) % Size];
    tile.sync();
    cells[t] += next;
  }
  tile.sync();
  o[8] = cells[t];
  auto part = cg::tiled_partition<32>(tile);
  o[9] = cg::reduce(part, value, cg::less<int>()) + 4000 * int(part.meta_group_rank());
  auto narrower = cg::tiled_partition<(Size > 64 ? Size / 2 : 16)>(tile);
  o[10] = cg::reduce(narrower, value, cg::bit_xor<int>());
  double half = value * 0.5;
  o[11] = int(2 * cg::reduce(tile, half, cg::plus<double>()));
}

template <unsigned Size>
void test_large(unsigned threads) {
  const int blocks = 2, n = int(threads), size = int(Size);
  check::Random random(Size);
  const auto in = random.integers<int>(blocks * n, -1000, 1000);
  check::Array<int> din(in), dout(in.size() * facts);
  large_tiles<Size><<<blocks, n>>>(din.data(), dout.data());
  std::vector<int> want;
  for (int i = 0; i < int(in.size()); ++i) {
    const int t = i % n, rank = t % size, first = i - rank, meta = t / size;
    auto over = [&](int from, int count, int start, auto combine) {
      for (int k = from; k < from + count; ++k) start = combine(start, in[k]);
      return start;
    };
    auto plus = [](int a, int b) { return a + b; };
    auto most = [](int a, int b) { return std::max(a, b); };
    auto least = [](int a, int b) { return std::min(a, b); };
    auto bits = [](int a, int b) { return a ^ b; };
    const int sum = over(first, size, 0, plus);
    std::vector<int> cells(in.begin() + first, in.begin() + first + size);
    for (int round = 0; round <= meta % 3; ++round) {
      const auto before = cells;
      for (int k = 0; k < size; ++k) cells[k] += before[(k + 1) % size];
    }
    const int narrow = size > 64 ? size / 2 : 16;
    const int largest = over(first, size, -5000, most), smallest = over(first, size, 5000, least);
    for (int fact : {rank + 2000 * meta + 100000 * (n / size), 2 * size, in[first + 37],
                     (largest > 990) + 2 * (smallest > -990), sum, largest,
                     over(first, rank + 1, 0, plus), over(first, rank, 0, plus), cells[rank],
                     over(i - rank % 32, 32, 5000, least) + 4000 * (rank / 32),
                     over(i - rank % narrow, narrow, 0, bits), sum})
      want.push_back(fact);
  }
  check::equal("tiles of " + std::to_string(size), dout.get(), want);
}

__global__ void with_atomics(const int* in, int* sum, int* stored,
                             cuda::atomic<int, cuda::thread_scope_device>* atomics, int* ranges) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x), value = in[i];
  cg::reduce_store_async(tile, stored + i / 32, value, cg::plus<int>());
  cg::reduce_update_async(tile, atomics[0], value, cg::plus<int>());
  cg::reduce_update_async(tile, atomics[1], value, cg::greater<int>());
  cg::reduce_store_async(tile, atomics[4 + i / 32], value, cg::less<int>());
  // Room for `count` numbers each: ranges that do not overlap.
  const int count = value & 7;
  ranges[2 * i] = cg::exclusive_scan_update(tile, atomics[2], count);
  ranges[2 * i + 1] = cg::inclusive_scan_update(tile, atomics[3], count, cg::plus<int>());
  if (i == 0) *sum = 0;
}

void algorithms() {
  const int blocks = 3, threads = 96, n = blocks * threads;
  check::Random random(9);
  const auto in = random.integers<int>(n, -1000, 1000);
  check::Array<int> din(in), sum(1), stored(n / 32), ranges(2 * n);
  cuda::atomic<int, cuda::thread_scope_device>* atomics = nullptr;
  const int count = 4 + n / 32;
  std::vector<int> start(count, 0);
  start[1] = -5000;
  start[2] = start[3] = 100;
  CUDA_OK(cudaMalloc(&atomics, count * sizeof(int)));
  CUDA_OK(cudaMemcpy(atomics, start.data(), count * sizeof(int), cudaMemcpyHostToDevice));
  with_atomics<<<blocks, threads>>>(din.data(), sum.data(), stored.data(), atomics, ranges.data());
  std::vector<int> got(count), want(start), sums(n / 32);
  for (int i = 0; i < n; ++i) {
    sums[i / 32] += in[i];
    want[0] += in[i];
    want[1] = std::max(want[1], in[i]);
    want[2] += in[i] & 7;
    want[3] += in[i] & 7;
    int& least = want[4 + i / 32];
    least = i % 32 == 0 ? in[i] : std::min(least, in[i]);
  }
  check::equal("reduce_store_async", stored.get(), sums);
  CUDA_OK(cudaMemcpy(got.data(), atomics, count * sizeof(int), cudaMemcpyDeviceToHost));
  check::equal("atomics", got, want);
  // The ranges of all threads, in any order of the warps, fill what was handed out.
  const auto handed = ranges.get();
  std::vector<int> cells[2];
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < (in[i] & 7); ++k) {
      cells[0].push_back(handed[2 * i] + k);
      cells[1].push_back(handed[2 * i + 1] - 1 - k);
    }
  std::vector<int> all;
  for (int k = 100; k < want[2]; ++k) all.push_back(k);
  for (auto& list : cells) {
    std::sort(list.begin(), list.end());
    check::equal("scan updates", list, all);
  }
  CUDA_OK(cudaFree(atomics));
}

__global__ void cluster_facts(int* out) {
  __shared__ int cells[128];
  auto cluster = cg::this_cluster();
  auto grid = cg::this_grid();
  const unsigned t = cluster.thread_rank();
  cells[t] = int(t) * 2;
  cluster.sync();
  int* other = cluster.map_shared_rank(cells, cluster.block_rank());
  const int got = other[cluster.num_threads() - 1 - t];
  auto token = cluster.barrier_arrive();
  cluster.barrier_wait(std::move(token));
  out[blockIdx.x * blockDim.x + t] =
      got + 1000 * int(cluster.num_blocks()) + 10000 * int(cluster.block_rank()) +
      100000 * int(cluster.dim_blocks().x) + int(cluster.query_shared_rank(cells)) +
      1000000 * int(grid.cluster_rank() == grid.block_rank() && grid.num_clusters() == gridDim.x);
}

int main() {
  test_large<64>(64);
  test_large<64>(1024);
  test_large<128>(512);
  test_large<256>(768);
  test_large<512>(1024);
  test_large<1024>(1024);
  algorithms();
  check::Array<int> dout(300);
  cluster_facts<<<3, 100>>>(dout.data());
  std::vector<int> want(300);
  for (int i = 0; i < 300; ++i) want[i] = (99 - i % 100) * 2 + 1101000;
  check::equal("clusters", dout.get(), want);
  return check::finish();
}
