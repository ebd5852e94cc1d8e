// Lanes divide a list in shared memory among themselves by votes, and read it with no __syncwarp().
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Warp operations | lists that lanes fill at places from votes, shuffles, counters or tables, and read with no __syncwarp in between
#include "check.h"

#include <algorithm>

constexpr int warps = 4, length = 128;

__device__ int lanes_below(unsigned mask) { return __popc(mask & ((1u << threadIdx.x % 32) - 1)); }

/// Sums of `values`, each times its place among those that pass; two of each are kept in front.
template <class Item>
__global__ void compact(const int* keys, const int* values, int n, long long* sums) {
  __shared__ char storage[warps][length * sizeof(int)];
  Item* list = reinterpret_cast<Item*>(storage[threadIdx.x / 32]);
  const int lane = threadIdx.x % 32;
  const int first = (blockIdx.x * warps + threadIdx.x / 32) * length;
  int found = 0;
  for (int i = lane; i < length; i += 32) {
    const bool passes = first + i < n && keys[first + i] % 3 == 0;
    const unsigned which = __ballot_sync(~0u, passes);
    if (passes) list[found + lanes_below(which)] = static_cast<char>(i);
    found += __popc(which);
  }
  long long sum = 0;
  for (int i = lane; i < found; i += 32)
    sum += static_cast<long long>(values[first + list[i]]) * (i + 1);
  for (int other = 16; other != 0; other /= 2) sum += __shfl_xor_sync(~0u, sum, other);
  if (lane == 0) sums[first / length] = sum;
}

/// One place for each key that some lane has, in the order of the lanes that have it first.
__global__ void distinct(const int* keys, int n, int* counts, int* found) {
  __shared__ int seen[warps * 32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int* mine = seen + threadIdx.x / 32 * 32;
  const int key = i < n ? keys[i] : -1;
  const unsigned same = __match_any_sync(~0u, key);
  const bool is_first = lanes_below(same) == 0;
  const unsigned firsts = __ballot_sync(~0u, is_first);
  if (is_first) mine[lanes_below(firsts)] = key;
  const int other =
      mine[threadIdx.x % 32 < __popc(firsts) ? __popc(firsts) - 1 - threadIdx.x % 32 : 0];
  if (i < n) {
    counts[i] = __popc(same);
    found[i] = other;
  }
}

/// The same places from a sum over the lanes before, or from a counter: then in any order.
template <bool counts>
__global__ void place(const int* keys, int n, int* found) {
  __shared__ int list[32], size;
  const int lane = threadIdx.x, i = blockIdx.x * 32 + lane;
  const bool passes = i < n && keys[i] % 2 == 0;
  int before = passes;
  for (int other = 1; other < 32; other *= 2) {
    const int from = __shfl_up_sync(~0u, before, other);
    if (lane >= other) before += from;
  }
  const int all = __shfl_sync(~0u, before, 31);
  if (lane == 0) size = 0;
  __syncwarp();
  if (passes) {
    const int at = counts ? atomicAdd(&size, 1) : before - 1;
    list[at] = keys[i];
  }
  if (i >= n) return;
  found[i] = -1;
  if (lane < all) found[i] = list[all - 1 - lane];
}

/// To places from a table; some lanes store, others read.
template <class Item>
__global__ void scatter(const int* values, const int* places, int n, int* found) {
  __shared__ Item list[32];
  const int lane = threadIdx.x, i = blockIdx.x * 32 + lane;
  list[lane] = -1;
  __syncwarp();
  if (i < n && values[i] % 3 != 0) list[places[i]] = values[i];
  if (i < n && lane % 5 != 1) found[i] = list[lane];
}

template <class Item>
void test_compact(const std::string& what, int n) {
  check::Random random(static_cast<std::uint64_t>(n));
  const int lists = (n + length - 1) / length, blocks = (lists + warps - 1) / warps;
  const auto keys = random.integers<int>(n, 0, 1000), values = random.integers<int>(n, -1000, 1000);
  std::vector<long long> want(blocks * warps, 0);
  for (int list = 0; list < lists; ++list)
    for (int i = list * length, found = 0; i < std::min(n, (list + 1) * length); ++i)
      if (keys[i] % 3 == 0) want[list] += static_cast<long long>(values[i]) * ++found;
  check::Array<int> on_keys(keys), on_values(values);
  check::Array<long long> sums(want.size());
  compact<Item><<<blocks, warps * 32>>>(on_keys.data(), on_values.data(), n, sums.data());
  check::equal(what + " of " + std::to_string(n), sums.get(), want);
}

void test_distinct(int n) {
  check::Random random(static_cast<std::uint64_t>(n) + 1);
  const auto keys = random.integers<int>(n, 0, 11);
  std::vector<int> counts(n), found(n);
  for (int first = 0; first < n; first += 32) {
    std::vector<int> list;
    const auto key = [&](int lane) { return first + lane < n ? keys[first + lane] : -1; };
    for (int lane = 0; lane < 32; ++lane)
      if (std::find(list.begin(), list.end(), key(lane)) == list.end()) list.push_back(key(lane));
    const int size = static_cast<int>(list.size());
    for (int lane = 0; lane < std::min(32, n - first); ++lane) {
      for (int other = 0; other < 32; ++other) counts[first + lane] += key(other) == key(lane);
      found[first + lane] = list[lane < size ? size - 1 - lane : 0];
    }
  }
  check::Array<int> on_keys(keys), on_counts(keys.size()), on_found(keys.size());
  distinct<<<(n + warps * 32 - 1) / (warps * 32), warps * 32>>>(on_keys.data(), n, on_counts.data(),
                                                                on_found.data());
  check::equal("counts of " + std::to_string(n), on_counts.get(), counts);
  check::equal("keys of " + std::to_string(n), on_found.get(), found);
}

template <bool counts>
void test_place(int n) {
  check::Random random(static_cast<std::uint64_t>(n) + 2);
  const auto keys = random.integers<int>(n, 0, 1 << 20);
  std::vector<int> want(n, -1);
  for (int first = 0; first < n; first += 32) {
    std::vector<int> list;
    for (int i = first; i < std::min(n, first + 32); ++i)
      if (keys[i] % 2 == 0) list.push_back(keys[i]);
    std::copy(list.rbegin(), list.rend(), want.begin() + first);
  }
  check::Array<int> on_keys(keys), found(keys.size());
  place<counts><<<(n + 31) / 32, 32>>>(on_keys.data(), n, found.data());
  auto got = found.get();
  for (int first = 0; counts && first < n; first += 32)
    for (auto* all : {&got, &want})
      std::sort(all->begin() + first, all->begin() + std::min(n, first + 32));
  check::equal((counts ? "counted of " : "placed of ") + std::to_string(n), got, want);
}

template <class Item>
void test_scatter(const std::string& what, int n) {
  check::Random random(static_cast<std::uint64_t>(n) + 3);
  const auto values = random.integers<int>(n, 0, 1 << 20);
  std::vector<int> places(n), want(n, -1);
  for (int i = 0; i < n; ++i) places[i] = (i * 7 + 3) % 32;
  for (int i = 0; i < n; ++i) {
    const int to = i / 32 * 32 + places[i];
    if (to < n && values[i] % 3 != 0) want[to] = values[i];
  }
  check::Array<int> on_values(values), on_places(places), found(values.size());
  scatter<Item><<<(n + 31) / 32, 32>>>(on_values.data(), on_places.data(), n, found.data());
  const auto got = found.get();
  for (int i = 0; i < n; ++i)
    if (i % 32 % 5 == 1) want[i] = got[i];
  check::equal(what + " scattered of " + std::to_string(n), got, want);
}

int main() {
  for (int n : {1, 31, 128, 1009, 40961}) {
    test_compact<int>("ints", n);
    test_compact<char>("characters", n);
    test_compact<volatile char>("volatile characters", n);
    test_compact<volatile int>("volatile ints", n);
    test_distinct(n);
    test_scatter<int>("ints", n);
    test_scatter<volatile int>("volatile ints", n);
    test_place<false>(n);
    test_place<true>(n);
  }
  return check::finish();
}
