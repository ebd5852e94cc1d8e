// Lanes that hold equal values find each other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -arch=sm_90
// FEATURE: Warp operations | __match_any_sync, __match_all_sync with 32 and 64 bit values
#include "check.h"

template <class T>
__global__ void match(const T* in, unsigned* any, unsigned* all, int* flags) {
  const int t = check::thread_index(), i = blockIdx.x * check::thread_count() + t;
  int flag = 77;
  any[i] = __match_any_sync(0xffffffffu, in[i]);
  all[i] = __match_all_sync(0xffffffffu, in[i], &flag);
  flags[i] = flag != 0;
}

template <class T>
__global__ void match_halves(const T* in, unsigned* any) {
  const int t = threadIdx.x;
  if (t % 32 < 11)
    any[t] = __match_any_sync(0x000007ffu, in[t]);
  else
    any[t] = __match_any_sync(0xfffff800u, in[t]);
}

// Histogram with one atomic per distinct key and warp.
__global__ void keyed_count(const int* keys, int* counts) {
  const int key = keys[check::global_index()];
  const unsigned peers = __match_any_sync(0xffffffffu, key);
  if (int(check::thread_index() % 32) == __ffs(peers) - 1) atomicAdd(&counts[key], __popc(peers));
}

template <class T>
void test(const char* type, const std::vector<T>& in, dim3 block) {
  const int n = check::volume(block), total = static_cast<int>(in.size());
  check::Array<T> source(in);
  check::Array<unsigned> any(total), all(total);
  check::Array<int> flags(total);
  match<T><<<total / n, block>>>(source.data(), any.data(), all.data(), flags.data());
  std::vector<unsigned> want_any(total), want_all(total);
  std::vector<int> want_flags(total);
  for (int i = 0; i < total; ++i) {
    const int t = i % n, begin = i - t % 32, end = begin + 32 < i - t + n ? begin + 32 : i - t + n;
    bool same = true;
    unsigned present = 0;
    for (int u = begin; u < end; ++u) {
      present |= 1u << (u - begin);
      if (in[u] == in[i]) want_any[i] |= 1u << (u - begin);
      same = same && in[u] == in[begin];
    }
    want_all[i] = same ? present : 0;
    want_flags[i] = same;
  }
  // With a full mask a ragged warp may report the whole mask: keep the lanes that exist.
  auto got_all = all.get();
  for (int i = 0; i < total; ++i)
    if (want_flags[i]) got_all[i] &= want_all[i];
  check::equal(check::name(type, block) + " match_any", any.get(), want_any);
  check::equal(check::name(type, block) + " match_all", got_all, want_all);
  check::equal(check::name(type, block) + " match_all flag", flags.get(), want_flags);
}

int main() {
  check::Random random(37);
  for (dim3 block : check::block_shapes()) {
    const int n = check::volume(block) * 2;
    auto small = random.integers<int>(n, -2, 2);
    for (int i = 0; i < n && i < 64; ++i)
      if (i / 32 == 1 || n < 64) small[i] = 5;  // a warp of equal values
    test<int>("int", small, block);
    test<unsigned>("unsigned", random.integers<unsigned>(n, 0, 5), block);
    auto wide = random.integers<long long>(n, 0, 3);
    for (auto& x : wide) x = (x << 32) | (x & 1);  // differs in the high half only, at times
    test<long long>("long long", wide, block);
    test<unsigned long long>("unsigned long long", random.integers<unsigned long long>(n, 0, 4),
                             block);
    test<float>("float", random.integers<float>(n, 0, 6), block);
    test<double>("double", random.integers<double>(n, 0, 6), block);
  }
  {
    const auto in = random.integers<int>(64, 0, 4);
    check::Array<int> source(in);
    check::Array<unsigned> any(64);
    match_halves<int><<<1, 64>>>(source.data(), any.data());
    std::vector<unsigned> want(64);
    for (int t = 0; t < 64; ++t)
      for (int u = t / 32 * 32; u < t / 32 * 32 + 32; ++u)
        if (in[u] == in[t] && (u % 32 < 11) == (t % 32 < 11)) want[t] |= 1u << u % 32;
    check::equal("match_halves", any.get(), want);
  }
  {
    const auto keys = random.integers<int>(40 * 96, 0, 12);
    check::Array<int> source(keys), counts(std::vector<int>(13, 0));
    keyed_count<<<40, 96>>>(source.data(), counts.data());
    std::vector<int> want(13, 0);
    for (int key : keys) ++want[key];
    check::equal("keyed_count", counts.get(), want);
  }
  return check::finish();
}
