// Lanes that return before their warp's operations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Warp operations | operations of the lanes that are left after others have returned
#include "check.h"

#include <algorithm>

constexpr unsigned everybody = 0xffffffffu;

// Each kind of operation once; `in` decides who returns, by its lowest bit or because there is no
// more.
__global__ void operations(const int* in, int* out, int n, bool flags) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  if (i >= n) return;
  const int value = in[i];
  if (flags && value % 2 != 0) return;
  int* mine = out + i * 11;
  mine[0] = __shfl_down_sync(everybody, value, 3);
  mine[1] = __shfl_up_sync(everybody, value, 2, 8);
  mine[2] = __shfl_xor_sync(everybody, value, 5);
  mine[3] = __shfl_sync(everybody, value, lane * 7);
  mine[4] = int(__ballot_sync(everybody, value % 3 == 0));
  mine[5] = __any_sync(everybody, value % 64 == 0);
  mine[6] = __all_sync(everybody, value % 8 != 0);
  mine[7] = int(__match_any_sync(everybody, value / 64));
  int same;
  mine[8] = int(__match_all_sync(everybody, value / 512, &same));
  mine[9] = same;
  mine[10] = int(__ballot_sync(0x0f0f0f0fu | 1u << lane, value % 5 == 0) & 1u << lane) != 0;
}

void want_operations(const std::vector<int>& in, std::vector<int>& want, int n, int threads,
                     bool flags) {
  auto is_there = [&](int i) { return i < n && !(flags && in[i] % 2 != 0); };
  for (int i = 0; i < n; ++i) {
    if (!is_there(i)) continue;
    const int t = i % threads, lane = t % 32, first = i - lane;
    const int lanes = std::min(32, threads - (t - lane));
    auto there = [&](int l) { return l >= 0 && l < lanes && is_there(first + l); };
    auto from = [&](int l, bool in_range) { return in[in_range && there(l) ? first + l : i]; };
    int* mine = &want[i * 11];
    mine[0] = from(lane + 3, lane + 3 < 32);
    mine[1] = from(lane - 2, lane % 8 >= 2);
    mine[2] = from(lane ^ 5, true);
    mine[3] = from(lane * 7 % 32, true);
    unsigned thirds = 0, alike = 0, present = 0;
    bool any = false, all = true, same = true;
    for (int l = 0; l < 32; ++l) {
      if (!there(l)) continue;
      const int value = in[first + l];
      present |= 1u << l;
      thirds |= unsigned(value % 3 == 0) << l;
      any |= value % 64 == 0;
      all &= value % 8 != 0;
      alike |= unsigned(value / 64 == in[i] / 64) << l;
      same &= value / 512 == in[i] / 512;
    }
    mine[4] = int(thirds);
    mine[5] = any;
    mine[6] = all;
    mine[7] = int(alike);
    mine[8] = same ? int(present) : 0;
    mine[9] = same;
    mine[10] = in[i] % 5 == 0;
  }
}

// Those that are left go on for as long as one of them wants to.
__global__ void rounds(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || in[i] % 4 == 1) return;
  int left = in[i] % 7, sum = 0, count = 0;
  while (__any_sync(everybody, left > 0)) {
    sum += __shfl_xor_sync(everybody, left, 1);
    --left;
    ++count;
  }
  out[i] = sum * 100 + count;
}

// Lanes return in the midst of rounds, each after its own number of them.
__global__ void leavers(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int stays = in[i] % 6;
  for (int r = 0; r < 5; ++r) {
    out[i] += int(__ballot_sync(everybody, (in[i] >> r) % 2)) % 1000 + r;
    if (r == stays) return;
  }
  out[i] += 100000;
}

// Sums of blocks, by warps and then by a barrier, of what is inside.
__global__ void block_sums(const int* in, int* out, int n) {
  __shared__ int partial[32];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t < 32) partial[t] = 0;
  __syncthreads();
  if (i >= n) return;
  int sum = in[i];
  for (int step = 16; step > 0; step /= 2) {
    const int other = __shfl_down_sync(everybody, sum, step);
    if (t % 32 + step < 32 && i + step < n && t + step < int(blockDim.x)) sum += other;
  }
  if (t % 32 == 0) partial[t / 32] = sum;
  __syncthreads();
  if (t != 0) return;
  for (int w = 1; w < int(blockDim.x + 31) / 32; ++w) sum += partial[w];
  out[blockIdx.x] = sum;
}

// Half of the lanes only, and nothing behind it.
__global__ void halves(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 32 < 16) {
    int v = in[i];
    v += __shfl_xor_sync(0x0000ffffu, v, 8);
    v += __shfl_xor_sync(0x0000ffffu, v, 1);
    out[i] = v;
  }
}

int main() {
  check::Random random(61);
  for (int threads : {1, 32, 64, 77, 256, 1024})
    for (int n : {1, 31, 33, 500, 2051}) {
      const int blocks = (n + threads - 1) / threads + 1;
      const auto in = random.integers<int>(n, 0, 4000);
      check::Array<int> source(in);
      for (bool flags : {false, true}) {
        std::vector<int> want(n * 11, -77);
        check::Array<int> out(want);
        operations<<<blocks, threads>>>(source.data(), out.data(), n, flags);
        want_operations(in, want, n, threads, flags);
        check::equal(flags ? "operations, flags" : "operations, guard", out.get(), want);
      }
      check::Array<int> out(std::vector<int>(n, -5)), sums(std::vector<int>(blocks, -5)),
          left(std::vector<int>(n, 0));
      rounds<<<blocks, threads>>>(source.data(), out.data(), n);
      leavers<<<blocks, threads>>>(source.data(), left.data(), n);
      std::vector<int> want(n, -5), want_left(n, 0);
      for (int first = 0; first < n;) {
        const int end =
            std::min({n, first + 32 - first % threads % 32, first / threads * threads + threads});
        int longest = 0;
        auto is_there = [&](int i) { return i >= first && i < end && in[i] % 4 != 1; };
        for (int i = first; i < end; ++i)
          if (is_there(i)) longest = std::max(longest, in[i] % 7);
        for (int i = first; i < end; ++i) {
          if (!is_there(i)) continue;
          const int other = first + ((i - first) ^ 1), from = is_there(other) ? other : i;
          int sum = 0;
          for (int r = 0; r < longest; ++r) sum += in[from] % 7 - r;
          want[i] = sum * 100 + longest;
        }
        for (int r = 0; r < 5; ++r) {
          unsigned votes = 0;
          for (int i = first; i < end; ++i)
            if (in[i] % 6 >= r) votes |= unsigned(in[i] >> r & 1) << (i - first);
          for (int i = first; i < end; ++i)
            if (in[i] % 6 >= r) want_left[i] += int(votes) % 1000 + r;
        }
        for (int i = first; i < end; ++i)
          if (in[i] % 6 >= 5) want_left[i] += 100000;
        first = end;
      }
      check::equal("rounds", out.get(), want);
      check::equal("leavers", left.get(), want_left);
      block_sums<<<blocks, threads>>>(source.data(), sums.data(), n);
      std::vector<int> want_sums(blocks, -5);
      for (int i = 0; i < n; ++i)
        want_sums[i / threads] = (i % threads ? want_sums[i / threads] : 0) + in[i];
      check::equal("block_sums", sums.get(), want_sums);
    }
  for (int threads : {32, 96, 320}) {
    const auto in = random.integers<int>(threads * 3, -1000, 1000);
    check::Array<int> source(in), out(std::vector<int>(threads * 3, 9));
    halves<<<3, threads>>>(source.data(), out.data());
    std::vector<int> want(threads * 3, 9);
    for (int i = 0; i < threads * 3; ++i)
      if (i % 32 < 16) want[i] = in[i] + in[i ^ 8] + in[i ^ 1] + in[i ^ 9];
    check::equal("halves", out.get(), want);
  }
  return check::finish();
}
