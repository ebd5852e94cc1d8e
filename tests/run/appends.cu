// Threads append to arrays at places that a counter gives out, and update what they have looked at.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Atomics | lists: array[atomicAdd(count, 1)] = x, with few and many elements, several arrays, counters that are looked at, one array for all
#include "check.h"

#include <algorithm>

/// Each value above the limit, and whose it is.
__global__ void select(const int* x, int n, int limit, int* values, long long* places,
                       unsigned* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || x[i] <= limit) return;
  const unsigned at = atomicAdd(count, 1u);
  values[at + 3] = x[i];
  places[at] = i;
}

/// As many of each as it says; two places in the code, one counter.
__global__ void repeat(const int* x, int n, int* out, unsigned long long* count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    for (int k = 0; k < x[i]; ++k) out[atomicAdd(count, 1ull)] = i;
    if (x[i] % 3 == 0) out[atomicAdd(count, 1ull)] = -i;
  }
}

/// Stops at a full array: the number is looked at.
__global__ void some(const int* x, int n, int* out, int* count, int most) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int at = atomicAdd(count, 1);
  if (at < most) out[at] = x[i];
}

/// A breadth-first search's level.
__global__ void expand(const int* begin, const int* target, const int* frontier, int count,
                       int* depth, int level, int* next, int* next_count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const int node = frontier[i];
  for (int k = begin[node]; k < begin[node + 1]; ++k) {
    const int to = target[k];
    if (depth[to] == -1 && atomicCAS(&depth[to], -1, level) == -1)
      next[atomicAdd(next_count, 1)] = to;
  }
}

/// The smaller of two, stored where it is another.
__global__ void lower(int* least, const int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] < least[i]) least[i] = x[i];
}

static unsigned blocks(int n, int size) { return (n + size - 1) / size; }

static void test_select(check::Random& random, int n, int limit) {
  const auto x = random.integers<int>(n, 0, 99);
  std::vector<long long> want;
  for (int i = 0; i < n; ++i)
    if (x[i] > limit) want.push_back(i);
  check::Array<int> dx(x), values(std::vector<int>(n + 3, -7));
  check::Array<long long> places(std::vector<long long>(n, -7));
  check::Array<unsigned> count(std::vector<unsigned>{0});
  select<<<blocks(n, 96), 96>>>(dx.data(), n, limit, values.data(), places.data(), count.data());
  KERNEL_OK();
  CHECK_EQ(count.get()[0], want.size());
  auto got = places.get();
  const auto of = values.get();
  for (std::size_t k = 0; k < want.size(); ++k)
    if (CHECK(got[k] >= 0 && got[k] < n)) CHECK_EQ(of[k + 3], x[got[k]]);
  for (int k = 0; k < 3; ++k) CHECK_EQ(of[k], -7);
  for (std::size_t k = want.size(); k < got.size(); ++k) CHECK_EQ(got[k], -7);
  got.resize(want.size());
  std::sort(got.begin(), got.end());
  check::equal("places", got, want);
}

static void test_repeat(check::Random& random, int n) {
  const auto x = random.integers<int>(n, 0, 9);
  std::vector<int> want;
  for (int i = 0; i < n; ++i) {
    want.insert(want.end(), x[i], i);
    if (x[i] % 3 == 0) want.push_back(-i);
  }
  check::Array<int> dx(x), out(std::vector<int>(want.size(), -7));
  check::Array<unsigned long long> count(std::vector<unsigned long long>{0});
  repeat<<<3, 64>>>(dx.data(), n, out.data(), count.data());
  KERNEL_OK();
  CHECK_EQ(count.get()[0], want.size());
  auto got = out.get();
  std::sort(got.begin(), got.end());
  std::sort(want.begin(), want.end());
  check::equal("repeated", got, want);
}

static void test_some(check::Random& random, int n) {
  const auto x = random.integers<int>(n, 5, 9);
  const int most = n / 2;
  check::Array<int> dx(x), out(std::vector<int>(n, -7)), count(std::vector<int>{0});
  some<<<blocks(n, 64), 64>>>(dx.data(), n, out.data(), count.data(), most);
  KERNEL_OK();
  CHECK_EQ(count.get()[0], n);
  const auto got = out.get();
  for (int k = 0; k < n; ++k) CHECK(k < most ? got[k] >= 5 : got[k] == -7);
}

/// The counter stands in the array itself.
static void test_one_array(check::Random& random, int n) {
  const auto x = random.integers<int>(n, 0, 1);
  std::vector<int> start(2 * n + 1, -7);
  start[2 * n] = 0;
  check::Array<int> dx(x), all(start);
  some<<<blocks(n, 64), 64>>>(dx.data(), n, all.data(), all.data() + 2 * n, n);
  KERNEL_OK();
  auto got = all.get();
  CHECK_EQ(got[2 * n], n);
  CHECK_EQ(std::count(got.begin(), got.begin() + n, 1), std::count(x.begin(), x.end(), 1));
}

static void test_search(check::Random& random, int n) {
  std::vector<int> begin(n + 1), target;
  for (int i = 0; i < n; ++i) {
    begin[i] = static_cast<int>(target.size());
    for (int k = 0; k < 4; ++k) target.push_back(static_cast<int>(random.integer(0, n - 1)));
  }
  begin[n] = static_cast<int>(target.size());
  std::vector<int> want(n, -1), queue{0};
  want[0] = 0;
  for (std::size_t q = 0; q < queue.size(); ++q)
    for (int k = begin[queue[q]]; k < begin[queue[q] + 1]; ++k)
      if (want[target[k]] == -1) {
        want[target[k]] = want[queue[q]] + 1;
        queue.push_back(target[k]);
      }
  std::vector<int> start(n, -1);
  start[0] = 0;
  check::Array<int> db(begin), dt(target), depth(start), first(std::vector<int>(n, 0)), second(n),
      counter(1);
  int *frontier = first.data(), *next = second.data(), count = 1;
  for (int level = 1; count > 0; ++level) {
    CUDA_OK(cudaMemset(counter.data(), 0, sizeof(int)));
    expand<<<blocks(count, 128), 128>>>(db.data(), dt.data(), frontier, count, depth.data(), level,
                                        next, counter.data());
    CUDA_OK(cudaMemcpy(&count, counter.data(), sizeof count, cudaMemcpyDeviceToHost));
    std::swap(frontier, next);
  }
  check::equal("depths", depth.get(), want);
}

/// Several launches one after the other, on the same array.
static void test_lower(check::Random& random, int n) {
  auto want = random.integers<int>(n, 0, 1000);
  check::Array<int> least(want);
  for (int launch = 0; launch < 20; ++launch) {
    const auto x = random.integers<int>(n, launch == 5 ? 2000 : 0, 3000);
    check::Array<int> dx(x);
    lower<<<blocks(n, 32), 32>>>(least.data(), dx.data(), n);
    KERNEL_OK();
    for (int i = 0; i < n; ++i) want[i] = std::min(want[i], x[i]);
  }
  check::equal("least", least.get(), want);
}

int main() {
  check::Random random(11);
  for (const int n : {1, 31, 96, 1000, 4099, 40000}) {
    for (const int limit : {-1, 50, 98, 99}) test_select(random, n, limit);
    test_repeat(random, n);
    test_some(random, n);
    test_one_array(random, n);
    test_search(random, n);
    test_lower(random, n);
  }
  return check::finish();
}
