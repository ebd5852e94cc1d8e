// Cooperative groups: the threads that are here together, partitions, reductions, scans, copies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Cooperative groups | coalesced_threads in diverged code: ranks, sync, shuffles, votes, aggregated atomics
// FEATURE: Cooperative groups | labeled_partition, binary_partition, tiled_partition of coalesced groups; invoke_one, invoke_one_broadcast
// FEATURE: Cooperative groups | reduce with plus, less, greater, bit_and, bit_or, bit_xor and own operators; reduce_store_async; inclusive_scan, exclusive_scan
// FEATURE: Cooperative groups | memcpy_async by bytes and by layouts, wait, wait_prior
#include "check.h"

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <algorithm>
#include <numeric>

namespace cg = cooperative_groups;

// Filters with one atomic operation for all lanes that have something to keep.
__device__ int aggregated(int* counter) {
  cg::coalesced_group active = cg::coalesced_threads();
  int first = 0;
  if (active.thread_rank() == 0) first = atomicAdd(counter, int(active.size()));
  return active.shfl(first, 0) + int(active.thread_rank());
}
__global__ void keep_positive(const int* in, int* out, int* counter, int n) {
  const int i = check::global_index();
  if (i < n && in[i] > 0) out[aggregated(counter)] = in[i];
}

// In each warp, the lanes with bit `lane` of `chosen` go one way.
__global__ void chosen_lanes(const int* in, unsigned chosen, int* out) {
  const int t = int(threadIdx.x), lane = t % 32;
  int* facts = out + 10 * t;
  if (chosen >> lane & 1) {
    const auto group = cg::coalesced_threads();
    const int value = in[t];
    facts[0] = int(group.thread_rank() * 100 + group.size());
    facts[1] = group.shfl(value, int(group.size()) - 1);
    facts[2] = group.shfl_down(value, 2);
    facts[3] = group.shfl_up(value, 1);
    facts[4] = int(group.ballot(value % 2));
    facts[5] = group.any(value == 7) + 2 * group.all(value < 1000);
    facts[6] = int(group.match_any(value % 4));
    facts[7] = cg::reduce(group, value, cg::plus<int>());
    facts[8] = cg::inclusive_scan(group, value);
    facts[9] = cg::exclusive_scan(group, value, cg::plus<int>());
    group.sync();
  }
}
std::vector<int> expected_lanes(const std::vector<int>& in, unsigned chosen) {
  std::vector<int> want(10 * in.size(), -1);
  for (std::size_t base = 0; base < in.size(); base += 32) {
    std::vector<int> lanes;
    for (int lane = 0; lane < 32; ++lane)
      if (chosen >> lane & 1) lanes.push_back(lane);
    const int size = int(lanes.size());
    std::vector<int> v(size);
    for (int r = 0; r < size; ++r) v[r] = in[base + lanes[r]];
    const auto mask_where = [&](auto holds) {
      unsigned mask = 0;
      for (int r = 0; r < size; ++r) mask |= holds(v[r]) ? 1u << r : 0u;
      return int(mask);
    };
    for (int r = 0; r < size; ++r) {
      int* facts = want.data() + 10 * (base + lanes[r]);
      facts[0] = r * 100 + size;
      facts[1] = v[size - 1];
      facts[2] = v[r + 2 < size ? r + 2 : r];
      facts[3] = v[r >= 1 ? r - 1 : r];
      facts[4] = mask_where([](int x) { return x % 2 != 0; });
      facts[5] = (mask_where([](int x) { return x == 7; }) != 0) +
                 2 * (mask_where([](int x) { return x >= 1000; }) == 0);
      facts[6] = mask_where([&](int x) { return x % 4 == v[r] % 4; });
      facts[7] = std::accumulate(v.begin(), v.end(), 0);
      facts[8] = std::accumulate(v.begin(), v.begin() + r + 1, 0);
      facts[9] = std::accumulate(v.begin(), v.begin() + r, 0);
    }
  }
  return want;
}

// The threads of equal label, and of equal truth, count and sum themselves.
__global__ void partitions(const int* labels, int* out) {
  const int t = int(threadIdx.x);
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const auto same = cg::labeled_partition(tile, labels[t]);
  const auto odd = cg::binary_partition(tile, labels[t] % 2 != 0);
  const auto pair = cg::tiled_partition(odd, 2);
  int* facts = out + 6 * t;
  facts[0] = int(same.size() * 100 + same.thread_rank());
  facts[1] = int(same.meta_group_size());
  facts[2] = cg::reduce(same, t, cg::plus<int>());
  facts[3] = int(odd.size() * 100 + odd.thread_rank());
  facts[4] = cg::reduce(odd, t, cg::greater<int>());
  facts[5] = int(pair.size() * 100 + pair.thread_rank() * 10 + pair.meta_group_rank());
}
std::vector<int> expected_partitions(const std::vector<int>& labels) {
  std::vector<int> want(6 * labels.size());
  for (int t = 0; t < int(labels.size()); ++t) {
    const int base = t / 16 * 16;
    int same = 0, same_rank = 0, same_sum = 0, odd = 0, odd_rank = 0, odd_last = 0;
    std::vector<int> kinds(labels.begin() + base, labels.begin() + base + 16);
    for (int u = base; u < base + 16; ++u) {
      if (labels[u] == labels[t]) {
        ++same;
        same_rank += u < t;
        same_sum += u;
      }
      if (labels[u] % 2 == labels[t] % 2) {
        ++odd;
        odd_rank += u < t;
        odd_last = u;
      }
    }
    std::sort(kinds.begin(), kinds.end());
    int* facts = want.data() + 6 * t;
    facts[0] = same * 100 + same_rank;
    facts[1] = int(std::unique(kinds.begin(), kinds.end()) - kinds.begin());
    facts[2] = same_sum;
    facts[3] = odd * 100 + odd_rank;
    facts[4] = odd_last;
    const int pair_size = odd_rank / 2 * 2 + 2 <= odd ? 2 : 1;
    facts[5] = pair_size * 100 + odd_rank % 2 * 10 + odd_rank / 2;
  }
  return want;
}

template <class T, class Operator>
__global__ void reductions(const T* in, T* out, Operator combine) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int t = check::global_index();
  out[t] = cg::reduce(tile, in[t], combine);
}
template <class T, class Operator>
void test_reduction(const char* what, const std::vector<T>& in, Operator combine) {
  check::Array<T> source(in), out(in.size());
  reductions<<<unsigned(in.size() / 64), 64>>>(source.data(), out.data(), combine);
  std::vector<T> want(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) {
    want[i] = in[i / 32 * 32];
    for (std::size_t k = i / 32 * 32 + 1; k < i / 32 * 32 + 32; ++k) {
      if constexpr (std::is_same_v<Operator, cg::plus<T>>) want[i] = want[i] + in[k];
      if constexpr (std::is_same_v<Operator, cg::less<T>>) want[i] = std::min(want[i], in[k]);
      if constexpr (std::is_same_v<Operator, cg::greater<T>>) want[i] = std::max(want[i], in[k]);
    }
  }
  check::equal(what, out.get(), want);
}
__global__ void bits(const unsigned* in, unsigned* out) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const unsigned t = threadIdx.x, v = in[t];
  out[4 * t] = cg::reduce(tile, v, cg::bit_and<unsigned>());
  out[4 * t + 1] = cg::reduce(tile, v, cg::bit_or<unsigned>());
  out[4 * t + 2] = cg::reduce(tile, v, cg::bit_xor<unsigned>());
  out[4 * t + 3] = cg::reduce(tile, v, [](unsigned a, unsigned b) { return a * b; });
}

// One thread of each tile works for all of it.
__global__ void once(const int* in, int* out, int* calls, int* sums) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int t = int(threadIdx.x);
  out[t] = cg::invoke_one_broadcast(
      tile, [&](int factor) { return atomicAdd(calls, 1) * 0 + in[t] * factor; }, 3);
  cg::reduce_store_async(tile, sums + t / 16, in[t], cg::plus<int>());
}

__global__ void staged(const float* in, float* out, int n) {
  extern __shared__ float tile[];
  cg::thread_block block = cg::this_thread_block();
  const int base = int(blockIdx.x) * 100, count = min(100, n - base);
  cg::memcpy_async(block, tile, in + base, sizeof(float) * count);
  cg::memcpy_async(block, tile + 100, 3, in, 1000);
  cg::wait_prior<1>(block);
  cg::wait(block);
  cg::memcpy_async(block, reinterpret_cast<char*>(tile + 103) + 1,
                   reinterpret_cast<const char*>(in) + 1, 7);
  cg::wait(block);
  for (int i = int(block.thread_rank()); i < count; i += int(block.size()))
    out[base + i] =
        tile[count - 1 - i] + tile[100 + i % 3] + reinterpret_cast<char*>(tile + 103)[1 + i % 7];
  cg::invoke_one(block, [&] { out[n + blockIdx.x] = float(count); });
}

int main() {
  check::Random random(78);
  for (int n : {1, 100, 5000}) {
    const auto in = random.integers<int>(n, -50, 50);
    check::Array<int> source(in), out(n), counter(std::vector<int>{0});
    keep_positive<<<(n + 95) / 96, 96>>>(source.data(), out.data(), counter.data(), n);
    std::vector<int> want, got = out.get();
    for (int v : in)
      if (v > 0) want.push_back(v);
    check::equal("kept", counter.get(), std::vector<int>{int(want.size())});
    got.resize(want.size());
    std::sort(got.begin(), got.end());
    std::sort(want.begin(), want.end());
    check::equal("kept values", got, want);
  }
  for (unsigned chosen : {0xffffffffu, 0x1u, 0x80000000u, 0x55555555u, 0x0ff0f00fu, 0x12345678u}) {
    const auto in = random.integers<int>(96, 0, 1100);
    check::Array<int> source(in), out(std::vector<int>(10 * 96, -1));
    chosen_lanes<<<1, 96>>>(source.data(), chosen, out.data());
    check::equal("coalesced", out.get(), expected_lanes(in, chosen));
  }
  for (int kinds : {1, 2, 5, 100}) {
    const auto labels = random.integers<int>(128, 0, kinds);
    check::Array<int> source(labels), out(6 * 128);
    partitions<<<1, 128>>>(source.data(), out.data());
    check::equal("partitions", out.get(), expected_partitions(labels));
  }
  const auto small = random.integers<int>(256, -1000, 1000);
  test_reduction("sum", small, cg::plus<int>());
  test_reduction("minimum", small, cg::less<int>());
  test_reduction("maximum", small, cg::greater<int>());
  test_reduction("float sum", std::vector<float>(small.begin(), small.end()), cg::plus<float>());
  test_reduction("double maximum", random.reals<double>(128, -1, 1), cg::greater<double>());
  test_reduction("long minimum", random.integers<long long>(64, -(1ll << 60), 1ll << 60),
                 cg::less<long long>());
  {
    const auto in = random.integers<unsigned>(64, 0, 0xffffffffu);
    check::Array<unsigned> source(in), out(4 * 64);
    bits<<<1, 64>>>(source.data(), out.data());
    std::vector<unsigned> want(4 * 64);
    for (int t = 0; t < 64; ++t) {
      unsigned all = ~0u, any = 0, odd = 0, product = 1;
      for (int k = t / 8 * 8; k < t / 8 * 8 + 8; ++k) {
        all &= in[k];
        any |= in[k];
        odd ^= in[k];
        product *= in[k];
      }
      const unsigned facts[4] = {all, any, odd, product};
      std::copy(facts, facts + 4, want.begin() + 4 * t);
    }
    check::equal("bits", out.get(), want);
  }
  {
    const auto in = random.integers<int>(96, -1000, 1000);
    check::Array<int> source(in), out(96), calls(std::vector<int>{0}), sums(6);
    once<<<1, 96>>>(source.data(), out.data(), calls.data(), sums.data());
    std::vector<int> want(96), totals(6);
    for (int t = 0; t < 96; ++t) {
      want[t] = in[t / 16 * 16] * 3;
      totals[t / 16] += in[t];
    }
    check::equal("once", out.get(), want);
    check::equal("calls", calls.get(), std::vector<int>{6});
    check::equal("stored sums", sums.get(), totals);
  }
  for (int n : {100, 777}) {
    const auto in = random.reals<float>(std::max(n, 1000), 0, 1);
    const int blocks = (n + 99) / 100;
    check::Array<float> source(in), out(n + blocks);
    staged<<<blocks, 33, 110 * sizeof(float)>>>(source.data(), out.data(), n);
    std::vector<float> want(n + blocks);
    for (int i = 0; i < n; ++i) {
      const int base = i / 100 * 100, count = std::min(100, n - base), at = i - base;
      want[i] = in[base + count - 1 - at] + in[at % 3] +
                reinterpret_cast<const char*>(in.data())[1 + at % 7];
      want[n + i / 100] = float(count);
    }
    check::equal("staged", out.get(), want);
  }
  return check::finish();
}
