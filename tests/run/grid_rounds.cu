// Loops in which a grid goes over an array.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Launches | loops by gridDim.x * blockDim.x: signed, unsigned and 64-bit, with an offset, bounds in front of and behind what there is, numbers that wrap
#include "check.h"

#include <algorithm>

/// Each number's visits, and which thread came.
template <class Index>
__global__ void visit(int* visits, int* threads, Index n, Index offset) {
  for (Index i = offset + blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    ++visits[i];
    threads[i] = blockIdx.x * blockDim.x + threadIdx.x;
  }
}

/// The bound in the middle; some rounds do nothing.
__global__ void skips(const int* in, int* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    if (in[i] < 0) continue;
    int sum = 0;
    for (int k = 0; k < in[i] % 5; ++k) sum += in[(i + k) % n] + k;
    out[i] = sum;
  }
}

/// Each row of a block does the same; the others' numbers begin in front of the array.
__global__ void rows(int* sums, int n) {
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) - 100; i < n;
       i += gridDim.x * blockDim.x)
    if (i >= 0) atomicAdd(&sums[i], 1 + static_cast<int>(threadIdx.y));
}

/// A loop that threads leave elsewhere, and one whose values live on: those go as they did.
__global__ void first_above(const float* in, int* found, float limit, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    if (in[i] > limit) {
      atomicMin(found, i);
      break;
    }
}
__global__ void sums(const float* in, float* out, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += in[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/// What a loop does before it asks, it does once more than the rest; too much for LLVM to turn it.
__global__ void asks_late(unsigned* seen, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (true) {
    atomicAdd(&seen[0], 1u);
    atomicMax(&seen[1], static_cast<unsigned>(i));
    atomicXor(&seen[2], i * 3u);
    for (unsigned k = 3; k < 8; ++k) atomicAdd(&seen[k], i / k);
    if (i >= n) break;
    out[i] += i;
    i += gridDim.x * blockDim.x;
  }
}

/// The step is a thread's own.
__global__ void own_steps(int* visits, int n) {
  const int step = gridDim.x * blockDim.x * (1 + threadIdx.x % 2);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) atomicAdd(&visits[i], 1);
}

template <class Index>
static void test_visits(int n, int size, int blocks, int threads, long offset) {
  const int all = blocks * threads;
  std::vector<int> want(size), who(size, -1);
  for (int thread = 0; thread < all; ++thread) {
    // As the kernel counts: in 32 bits without a sign, then in the index's width.
    Index i = static_cast<Index>(static_cast<Index>(offset) + static_cast<unsigned>(thread));
    for (; i < static_cast<Index>(n); i += static_cast<unsigned>(all)) {
      ++want[i];
      who[i] = thread;
    }
  }
  check::Array<int> visits(std::vector<int>(size, 0)), came(std::vector<int>(size, -1));
  visit<Index><<<blocks, threads>>>(visits.data(), came.data(), n, static_cast<Index>(offset));
  KERNEL_OK();
  check::equal("visits", visits.get(), want);
  check::equal("threads", came.get(), who);
}

static void test_skips(check::Random& random, int n, int blocks, int threads) {
  const auto in = random.integers<int>(n, -50, 50);
  std::vector<int> want(n, -7);
  for (int i = 0; i < n; ++i) {
    if (in[i] < 0) continue;
    want[i] = 0;
    for (int k = 0; k < in[i] % 5; ++k) want[i] += in[(i + k) % n] + k;
  }
  check::Array<int> din(in), out(std::vector<int>(n, -7));
  skips<<<blocks, threads>>>(din.data(), out.data(), n);
  KERNEL_OK();
  check::equal("skips", out.get(), want);
}

static void test_rows(int n, int blocks, dim3 block) {
  const int height = block.y;
  check::Array<int> out(std::vector<int>(n, 0));
  rows<<<blocks, block>>>(out.data(), n);
  KERNEL_OK();
  check::equal("rows", out.get(), std::vector<int>(n, height * (height + 1) / 2));
}

static void test_late(int n, int blocks, int threads) {
  const int all = blocks * threads;
  std::vector<unsigned> seen(8, 0);
  std::vector<int> want(n);
  for (int thread = 0; thread < all; ++thread)
    for (int i = thread;; i += all) {
      seen[0] += 1;
      seen[1] = std::max(seen[1], static_cast<unsigned>(i));
      seen[2] ^= i * 3u;
      for (unsigned k = 3; k < 8; ++k) seen[k] += i / k;
      if (i >= n) break;
      want[i] += i;
    }
  check::Array<unsigned> dseen(std::vector<unsigned>(8, 0));
  check::Array<int> out(std::vector<int>(n, 0));
  asks_late<<<blocks, threads>>>(dseen.data(), out.data(), n);
  KERNEL_OK();
  check::equal("seen by those that ask late", dseen.get(), seen);
  check::equal("asks late", out.get(), want);
}

static void test_others(check::Random& random, int n, int blocks, int threads) {
  const auto in = random.reals<float>(n, 0, 1);
  const int all = blocks * threads;
  std::vector<float> want(all, 0);
  for (int thread = 0; thread < all; ++thread)
    for (int i = thread; i < n; i += all) want[thread] += in[i];
  const auto above = std::find_if(in.begin(), in.end(), [](float x) { return x > 0.9f; });
  std::vector<int> visited(n, 0);
  for (int thread = 0; thread < all; ++thread)
    for (int i = thread; i < n; i += all * (1 + thread % threads % 2)) ++visited[i];
  check::Array<float> din(in), out(all);
  check::Array<int> found(std::vector<int>(1, n)), visits(std::vector<int>(n, 0));
  first_above<<<blocks, threads>>>(din.data(), found.data(), 0.9f, n);
  sums<<<blocks, threads>>>(din.data(), out.data(), n);
  own_steps<<<blocks, threads>>>(visits.data(), n);
  KERNEL_OK();
  CHECK_EQ(found.get()[0], static_cast<int>(above - in.begin()));
  check::equal("sums", out.get(), want);
  check::equal("own steps", visits.get(), visited);
}

int main() {
  check::Random random(11);
  const int sizes[] = {1, 31, 1000, 4096, 30011};
  const struct {
    int blocks, threads;
  } shapes[] = {{1, 1}, {3, 7}, {5, 64}, {2, 1024}, {33, 256}, {70, 100}};
  for (const int n : sizes)
    for (const auto& [blocks, threads] : shapes) {
      for (const long offset : {0l, 13l, 5000l}) {
        test_visits<int>(n, n, blocks, threads, offset);
        test_visits<unsigned>(n, n, blocks, threads, offset);
        test_visits<long>(n, n, blocks, threads, offset);
        test_visits<std::size_t>(n, n, blocks, threads, offset);
      }
      // Some threads begin behind all there is, the others' first number has wrapped to the front.
      test_visits<unsigned>(n, n, blocks, threads, -5);
      test_visits<unsigned>(n, n, blocks, threads, -300);
      test_visits<unsigned>(n, n, blocks, threads, -static_cast<long>(blocks) * threads / 2);
      test_skips(random, n, blocks, threads);
      test_others(random, n, blocks, threads);
      test_late(n, blocks, threads);
    }
  test_visits<int>(0, 1, 3, 64, 0);
  test_visits<int>(-100, 1, 3, 64, 0);
  test_visits<long>(0, 1, 3, 64, 0);
  for (const int n : {1, 999, 20000}) {
    test_rows(n, 3, dim3(32, 8));
    test_rows(n, 7, dim3(50, 3));
    test_rows(n, 1, dim3(1, 4));
  }
  return check::finish();
}
