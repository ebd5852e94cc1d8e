// Barriers that reduce a predicate over the block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Barriers | __syncthreads_count, __syncthreads_and, __syncthreads_or
#include "check.h"

#include <algorithm>

__global__ void reductions(const int* in, int* count, int* all, int* any, int alive) {
  const int t = check::thread_index(), n = check::thread_count();
  if (t >= alive) return;  // exited threads do not count
  const int value = in[blockIdx.x * n + t];
  const int i = blockIdx.x * n + t;
  count[i] = __syncthreads_count(value > 0);
  all[i] = __syncthreads_and(value > -90);
  any[i] = __syncthreads_or(value > 95);
}

// Any non-zero value is true; results steer the block (so they must be the same for everyone).
__global__ void steering(int* out, int threshold) {
  __shared__ int cells[1024];
  const int t = check::thread_index(), n = check::thread_count();
  cells[t] = t % 7;
  int rounds = 0;
  while (__syncthreads_or(cells[t] > threshold ? 256 << (t % 3) : 0)) {
    cells[t] -= cells[t] > threshold;
    ++rounds;
  }
  const int full = __syncthreads_and(2 * (t + 1));
  const int odd = __syncthreads_count((t % 2) * 12345);
  out[t] = rounds * 10000 + full * 5000 + odd + cells[(t + 1) % n];
}

int main() {
  check::Random random(5);
  for (dim3 block : check::block_shapes()) {
    const int n = check::volume(block), blocks = 7;
    for (int alive : {n, n / 2 + 1}) {
      const auto in = random.integers<int>(blocks * n, -92, 96);
      check::Array<int> source(in), count(std::vector<int>(blocks * n, -1)),
          all(std::vector<int>(blocks * n, -1)), any(std::vector<int>(blocks * n, -1));
      reductions<<<blocks, block>>>(source.data(), count.data(), all.data(), any.data(), alive);
      std::vector<int> want_count(blocks * n, -1), want_all = want_count, want_any = want_count;
      for (int b = 0; b < blocks; ++b) {
        int positive = 0;
        bool every = true, some = false;
        for (int t = 0; t < alive; ++t) {
          positive += in[b * n + t] > 0;
          every = every && in[b * n + t] > -90;
          some = some || in[b * n + t] > 95;
        }
        for (int t = 0; t < alive; ++t) {
          want_count[b * n + t] = positive;
          want_all[b * n + t] = every;
          want_any[b * n + t] = some;
        }
      }
      check::equal(check::name("count", block), count.get(), want_count);
      const auto got_all = all.get(), got_any = any.get();
      for (int i = 0; i < blocks * n; ++i) {  // true is any non-zero value
        if (want_all[i] < 0) continue;
        CHECK_EQ(got_all[i] != 0, want_all[i] != 0);
        CHECK_EQ(got_any[i] != 0, want_any[i] != 0);
      }
    }
    check::Array<int> out(n);
    steering<<<1, block>>>(out.data(), 2);
    std::vector<int> want(n);
    for (int t = 0; t < n; ++t) {
      const int highest = std::min(n - 1, 6), next = (t + 1) % n % 7;
      want[t] = std::max(0, highest - 2) * 10000 + 5000 + n / 2 + std::min(next, 2);
    }
    check::equal(check::name("steering", block), out.get(), want);
  }
  return check::finish();
}
