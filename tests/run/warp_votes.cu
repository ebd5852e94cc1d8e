// Votes and the active mask.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Warp operations | __ballot_sync, __any_sync, __all_sync
// FEATURE: Warp operations | __activemask, also in divergent branches
// FEATURE: Warp operations | warp-aggregated atomics
#include "check.h"

#include <algorithm>

__global__ void votes(const int* in, unsigned* ballots, int* flags) {
  const int t = check::thread_index(), i = blockIdx.x * check::thread_count() + t;
  const int value = in[i];
  ballots[i] = __ballot_sync(0xffffffffu, value % 3);
  flags[i] =
      (__any_sync(0xffffffffu, value > 97) != 0) + 2 * (__all_sync(0xffffffffu, value < 98) != 0);
}

// Votes over part of the warp, the predicate being any non-zero int.
__global__ void masked_votes(unsigned* out) {
  const int lane = threadIdx.x % 32;
  unsigned result = 0;
  if (lane >= 8 && lane < 24) {
    result = __ballot_sync(0x00ffff00u, (lane & 1) ? -2 : 0);
    result += __any_sync(0x00ffff00u, lane == 3 ? 1 : 0) ? 1 : 0;
    result += __all_sync(0x00ffff00u, lane) ? 2 : 0;
  }
  out[threadIdx.x] = result;
}

__global__ void active(unsigned* whole, unsigned* branch) {
  const int t = check::thread_index(), lane = t % 32;
  whole[t] = __activemask();
  unsigned mask;
  if (lane % 4 == 1)
    mask = __activemask();
  else
    mask = ~__activemask();
  branch[t] = mask;
}

// One atomic per warp for all lanes that come together.
__device__ int aggregated_add(int* counter) {
  const unsigned mask = __activemask();
  const int leader = __ffs(mask) - 1, lane = check::thread_index() % 32;
  int base = 0;
  if (lane == leader) base = atomicAdd(counter, __popc(mask));
  base = __shfl_sync(mask, base, leader);
  return base + __popc(mask & ((1u << lane) - 1));
}

__global__ void compact(const int* in, int* out, int* counter, int n) {
  const int i = check::global_index();
  if (i < n && in[i] > 0) out[aggregated_add(counter)] = in[i];
}

// A warp-uniform loop that ends by vote.
__global__ void vote_loop(const int* in, int* rounds, int* out) {
  const int t = check::thread_index(), i = blockIdx.x * check::thread_count() + t;
  int value = in[i], round = 0;
  while (__any_sync(0xffffffffu, value > 0)) {
    if (value > 0) value -= 1 + t % 3;
    ++round;
  }
  rounds[i] = round;
  out[i] = value;
}

int main() {
  check::Random random(31);
  for (dim3 block : check::block_shapes()) {
    const int n = check::volume(block), blocks = 3;
    const auto in = random.integers<int>(blocks * n, 0, 99);
    check::Array<int> source(in), flags(blocks * n), rounds(blocks * n), out(blocks * n);
    check::Array<unsigned> ballots(blocks * n);
    votes<<<blocks, block>>>(source.data(), ballots.data(), flags.data());
    vote_loop<<<blocks, block>>>(source.data(), rounds.data(), out.data());
    std::vector<unsigned> want_ballots(blocks * n);
    std::vector<int> want_flags(blocks * n), want_rounds(blocks * n), want_out(blocks * n);
    for (int i = 0; i < blocks * n; ++i) {
      const int t = i % n, begin = i - t % 32, end = std::min(begin + 32, i - t + n);
      bool any = false, all = true;
      int most = 0;
      for (int u = begin; u < end; ++u) {
        const int step = 1 + u % n % 3;
        any = any || in[u] > 97;
        all = all && in[u] < 98;
        want_ballots[i] |= (in[u] % 3 != 0) ? 1u << (u - begin) : 0;
        most = std::max(most, (in[u] + step - 1) / step);
      }
      want_flags[i] = any + 2 * all;
      want_rounds[i] = most;
      const int step = 1 + t % 3;
      want_out[i] = in[i] - (in[i] + step - 1) / step * step;
    }
    check::equal(check::name("ballot", block), ballots.get(), want_ballots);
    check::equal(check::name("any, all", block), flags.get(), want_flags);
    check::equal(check::name("vote_loop rounds", block), rounds.get(), want_rounds);
    check::equal(check::name("vote_loop", block), out.get(), want_out);

    check::Array<unsigned> whole(n), branch(n);
    active<<<1, block>>>(whole.data(), branch.data());
    std::vector<unsigned> want_whole(n), want_branch(n);
    for (int t = 0; t < n; ++t) {
      const int present = std::min(32, n - t / 32 * 32);
      want_whole[t] = present == 32 ? 0xffffffffu : (1u << present) - 1;
      want_branch[t] = t % 4 == 1 ? want_whole[t] & 0x22222222u : ~(want_whole[t] & ~0x22222222u);
    }
    check::equal(check::name("activemask", block), whole.get(), want_whole);
    check::equal(check::name("activemask in a branch", block), branch.get(), want_branch);
  }
  {
    check::Array<unsigned> out(64);
    masked_votes<<<1, 64>>>(out.data());
    std::vector<unsigned> want(64);
    for (int t = 0; t < 64; ++t) want[t] = t % 32 >= 8 && t % 32 < 24 ? 0x00aaaa00u + 2 : 0;
    check::equal("masked_votes", out.get(), want);
  }
  for (int n : {1, 1009, 5003}) {
    const auto in = random.integers<int>(n, -50, 50);
    std::vector<int> want;
    for (int x : in)
      if (x > 0) want.push_back(x);
    check::Array<int> source(in), out(n), counter(std::vector<int>(1, 0));
    compact<<<(n + 256) / 257, 257>>>(source.data(), out.data(), counter.data(), n);
    CHECK_EQ(counter.get()[0], static_cast<int>(want.size()));
    auto got = out.get();
    got.resize(want.size());
    std::sort(got.begin(), got.end());
    std::sort(want.begin(), want.end());
    check::equal("compact", got, want);
  }
  return check::finish();
}
