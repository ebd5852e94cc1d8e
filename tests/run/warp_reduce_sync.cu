// Warp reductions by one instruction.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -arch=sm_90
// FEATURE: Warp operations | __reduce_add_sync, __reduce_min_sync, __reduce_max_sync, __reduce_and_sync, __reduce_or_sync, __reduce_xor_sync
#include "check.h"

#include <algorithm>

__global__ void signed_reductions(const int* in, int* out) {
  const int t = check::thread_index(), value = in[t];
  out[t * 3 + 0] = __reduce_add_sync(0xffffffffu, value);
  out[t * 3 + 1] = __reduce_min_sync(0xffffffffu, value);
  out[t * 3 + 2] = __reduce_max_sync(0xffffffffu, value);
}

__global__ void unsigned_reductions(const unsigned* in, unsigned* out) {
  const int t = check::thread_index();
  const unsigned value = in[t];
  out[t * 6 + 0] = __reduce_add_sync(0xffffffffu, value);
  out[t * 6 + 1] = __reduce_min_sync(0xffffffffu, value);
  out[t * 6 + 2] = __reduce_max_sync(0xffffffffu, value);
  out[t * 6 + 3] = __reduce_and_sync(0xffffffffu, value);
  out[t * 6 + 4] = __reduce_or_sync(0xffffffffu, value);
  out[t * 6 + 5] = __reduce_xor_sync(0xffffffffu, value);
}

// Of the lanes that are left: those beyond `n`, and odd numbers, have returned.
__global__ void of_those_left(const unsigned* in, unsigned* out, int n) {
  const int t = threadIdx.x;
  if (t >= n) return;
  const unsigned value = in[t];
  if (value % 2 != 0) return;
  out[t * 8 + 0] = __reduce_add_sync(0xffffffffu, value);
  out[t * 8 + 1] = __reduce_min_sync(0xffffffffu, value);
  out[t * 8 + 2] = __reduce_max_sync(0xffffffffu, value);
  out[t * 8 + 3] = __reduce_and_sync(0xffffffffu, value);
  out[t * 8 + 4] = __reduce_or_sync(0xffffffffu, value);
  out[t * 8 + 5] = __reduce_xor_sync(0xffffffffu, value);
  out[t * 8 + 6] = unsigned(__reduce_min_sync(0xffffffffu, int(value)));
  out[t * 8 + 7] = unsigned(__reduce_max_sync(0xffffffffu, int(value)));
}

std::vector<unsigned> want_of_those_left(const std::vector<unsigned>& in, int threads, int n) {
  std::vector<unsigned> want(threads * 8, 77);
  auto is_left = [&](int t) { return t < n && in[t] % 2 == 0; };
  for (int t = 0; t < threads; ++t) {
    if (!is_left(t)) continue;
    unsigned results[8] = {0, in[t], in[t], in[t], in[t], 0, in[t], in[t]};
    for (int u = t / 32 * 32; u < std::min(t / 32 * 32 + 32, threads); ++u) {
      if (!is_left(u)) continue;
      results[0] += in[u];
      results[1] = std::min(results[1], in[u]);
      results[2] = std::max(results[2], in[u]);
      results[3] &= in[u];
      results[4] |= in[u];
      results[5] ^= in[u];
      results[6] = unsigned(std::min(int(results[6]), int(in[u])));
      results[7] = unsigned(std::max(int(results[7]), int(in[u])));
    }
    std::copy(results, results + 8, &want[t * 8]);
  }
  return want;
}

__global__ void masked(const int* in, int* out) {
  const int t = threadIdx.x, lane = t % 32;
  out[t] =
      lane % 2 == 0 ? __reduce_add_sync(0x55555555u, in[t]) : __reduce_max_sync(0xaaaaaaaau, in[t]);
}

int main() {
  check::Random random(41);
  for (dim3 block : check::block_shapes()) {
    const int n = check::volume(block);
    const auto in = random.integers<int>(n, -1ll << 25, 1ll << 25);
    check::Array<int> source(in), out(n * 3);
    signed_reductions<<<1, block>>>(source.data(), out.data());
    std::vector<int> want(n * 3);
    auto bits = random.integers<unsigned>(n, 0, 0xffffffffll);
    for (auto& x : bits) x |= random.bits() % 2 ? 0xf0000010u : 0xf0000000u;
    check::Array<unsigned> bit_source(bits), bit_out(n * 6);
    unsigned_reductions<<<1, block>>>(bit_source.data(), bit_out.data());
    std::vector<unsigned> want_bits(n * 6);
    for (int t = 0; t < n; ++t) {
      const int begin = t / 32 * 32, end = std::min(begin + 32, n);
      int add = 0, low = in[begin], high = in[begin];
      unsigned uadd = 0, ulow = bits[begin], uhigh = ulow, all = ulow, any = ulow, odd = 0;
      for (int u = begin; u < end; ++u) {
        add += in[u];
        low = std::min(low, in[u]);
        high = std::max(high, in[u]);
        uadd += bits[u];
        ulow = std::min(ulow, bits[u]);
        uhigh = std::max(uhigh, bits[u]);
        all &= bits[u];
        any |= bits[u];
        odd ^= bits[u];
      }
      const int s[3] = {add, low, high};
      const unsigned u[6] = {uadd, ulow, uhigh, all, any, odd};
      std::copy(s, s + 3, &want[t * 3]);
      std::copy(u, u + 6, &want_bits[t * 6]);
    }
    check::equal(check::name("signed", block), out.get(), want);
    check::equal(check::name("unsigned", block), bit_out.get(), want_bits);
  }
  for (int threads : {32, 77, 160, 1024})
    for (int n : {1, threads / 2 + 3, threads})
      for (unsigned sign : {0u, 0x80000000u}) {  // all of one sign: nothing of those gone may count
        auto in = random.integers<unsigned>(threads, 1, 0x7fffffff);
        for (auto& x : in) x |= sign;
        check::Array<unsigned> source(in), out(std::vector<unsigned>(threads * 8, 77));
        of_those_left<<<1, threads>>>(source.data(), out.data(), n);
        check::equal("of_those_left", out.get(), want_of_those_left(in, threads, n));
      }
  {
    const auto in = random.integers<int>(64, -1000, 1000);
    check::Array<int> source(in), out(64);
    masked<<<1, 64>>>(source.data(), out.data());
    std::vector<int> want(64);
    for (int t = 0; t < 64; ++t) {
      int sum = 0, high = -100000;
      for (int u = t / 32 * 32 + t % 2; u < t / 32 * 32 + 32; u += 2) {
        sum += in[u];
        high = std::max(high, in[u]);
      }
      want[t] = t % 2 == 0 ? sum : high;
    }
    check::equal("masked", out.get(), want);
  }
  return check::finish();
}
