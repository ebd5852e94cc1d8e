// More programs that count on the lanes of a warp being in step: sorts, rounds, roles.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Forward progress | warp-synchronous sorts, butterflies and stencils
//
// Races by CUDA's rules, as in warp_synchronous.cu; right where lanes do one access after the
// other together.
#include "check.h"

#include <algorithm>

// All lanes have the sum: each round writes and reads another lane's.
template <class T>
__device__ T butterfly(T* cells, int t, T value) {
#pragma unroll
  for (int o = 16; o > 0; o >>= 1) {
    cells[t] = value;
    value += cells[t ^ o];
  }
  return value;
}

template <class T>
__global__ void all_sums(const T* in, T* out) {
  extern __shared__ unsigned char bytes[];
  T* cells = reinterpret_cast<T*>(bytes);
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = butterfly(cells, threadIdx.x, in[i]);
}

// The same with a loop that is not unrolled.
__global__ void all_sums_loop(const int* in, int* out) {
  __shared__ int cells[128];
  const int t = threadIdx.x;
  int value = in[blockIdx.x * 128 + t];
#pragma unroll 1
  for (int o = 16; o > 0; o >>= 1) {
    cells[t] = value;
    value += cells[t ^ o];
  }
  out[blockIdx.x * 128 + t] = value;
}

// Bitonic sort of 64 numbers by 32 lanes.
__global__ void bitonic(const int* in, int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = in[blockIdx.x * 64 + t];
  s[t + 32] = in[blockIdx.x * 64 + t + 32];
  for (int k = 2; k <= 64; k *= 2) {
    for (int j = k / 2; j > 0; j /= 2) {
      const int low = 2 * t - (t & (j - 1)), high = low + j;
      const int a = s[low], b = s[high];
      if ((a > b) == ((low & k) == 0)) {
        s[low] = b;
        s[high] = a;
      }
    }
  }
  out[blockIdx.x * 64 + t] = s[t];
  out[blockIdx.x * 64 + t + 32] = s[t + 32];
}

// Neighbours in turns, even and odd pairs; a warp of a block each for itself.
__global__ void odd_even(const float* in, float* out) {
  __shared__ float all[4][33];
  float* s = all[threadIdx.y];
  const int t = threadIdx.x, at = (blockIdx.x * 4 + threadIdx.y) * 32;
  s[t] = in[at + t];
  for (int round = 0; round < 32; ++round) {
    const int left = t & ~1;
    const int a = left + (round & 1);
    if (t == left && a + 1 < 32) {
      const float x = s[a], y = s[a + 1];
      s[a] = x < y ? x : y;
      s[a + 1] = x < y ? y : x;
    }
  }
  out[at + t] = s[t];
}

// Rounds of a stencil over 30 cells between two borders that stay.
__global__ void smooth(const int* in, int* out, int rounds) {
  __shared__ int s[2][32];
  const int t = threadIdx.x, w = threadIdx.y, at = (blockIdx.x * 2 + w) * 32;
  s[w][t] = in[at + t];
  for (int i = 0; i < rounds; ++i)
    if (t > 0 && t < 31) s[w][t] = s[w][t - 1] + 2 * s[w][t] + s[w][t + 1];
  out[at + t] = s[w][t];
}

// Threads without work leave first.
__global__ void with_returns(const int* in, int* out, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  if (t >= n) return;
  s[t] = in[t];
  for (int i = 0; i < 3; ++i) s[t] += s[t / 32 * 32 + (t + 1) % 16];
  out[t] = s[t];
}

// The least and its place, in one structure, by reference.
struct Best {
  float value;
  int place;
};
__device__ void take_less(Best& mine, const Best& other) {
  if (other.value < mine.value || (other.value == mine.value && other.place < mine.place))
    mine = other;
}
template <unsigned threads>
__global__ void least(const float* in, Best* out) {
  __shared__ Best s[threads];
  const unsigned t = threadIdx.x;
  s[t] = {in[blockIdx.x * threads + t], static_cast<int>(t)};
  __syncthreads();
  if (threads >= 512) {
    if (t < 256) take_less(s[t], s[t + 256]);
    __syncthreads();
  }
  if (threads >= 256) {
    if (t < 128) take_less(s[t], s[t + 128]);
    __syncthreads();
  }
  if (threads >= 128) {
    if (t < 64) take_less(s[t], s[t + 64]);
    __syncthreads();
  }
  if (t < 32) {
    if (threads >= 64) take_less(s[t], s[t + 32]);
    if (t < 16) take_less(s[t], s[t + 16]);
    if (t < 8) take_less(s[t], s[t + 8]);
    if (t < 4) take_less(s[t], s[t + 4]);
    if (t < 2) take_less(s[t], s[t + 2]);
    if (t < 1) take_less(s[t], s[t + 1]);
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

// Sums of stretches that begin where a flag is set.
__global__ void stretches(const int* in, const int* flags, int* out) {
  __shared__ int s[32], f[32];
  const int t = threadIdx.x, at = blockIdx.x * 32 + t;
  s[t] = in[at];
  f[t] = flags[at];
#pragma unroll
  for (int o = 1; o < 32; o *= 2) {
    if (t >= o) {
      const int sum = s[t - o], flag = f[t - o];
      if (!f[t]) s[t] += sum;
      f[t] |= flag;
    }
  }
  out[at] = s[t];
}

// One lane works for the others between their turns.
__global__ void in_turns(const int* in, int* out, int rounds) {
  __shared__ int s[32], carry;
  const int t = threadIdx.x;
  if (t == 0) carry = 0;
  for (int i = 0; i < rounds; ++i) {
    s[t] = in[i * 32 + t];
    if (t == 0) {
      int sum = carry;
      for (int k = 0; k < 32; ++k) {
        const int x = s[k];
        s[k] = sum;
        sum += x;
      }
      carry = sum;
    }
    out[i * 32 + t] = s[t];
  }
}

// Two warps with unlike work, and a barrier of the block behind it.
__global__ void two_roles(const int* in, int* out) {
  __shared__ int a[32], b[32];
  const int t = threadIdx.x, lane = t & 31;
  if (t < 32) {
    a[lane] = in[lane];
    if (lane < 16) a[lane] += a[lane + 16];
    if (lane < 8) a[lane] += a[lane + 8];
    if (lane < 4) a[lane] += a[lane + 4];
    if (lane < 2) a[lane] += a[lane + 2];
    if (lane < 1) a[lane] += a[lane + 1];
  } else {
    b[lane] = in[t];
    for (int i = 0; i < 7; ++i) b[lane] = b[(lane + 3) & 31] + 1;
  }
  __syncthreads();
  out[t] = a[0] + b[lane];
}

// A function that is not inlined.
__device__ __noinline__ int shifted(int* cells, int t, int value, int by) {
  cells[t] = value;
  return cells[(t & ~31) | ((t + by) & 31)];
}
__global__ void calls(const int* in, int* out, int rounds) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  int value = in[t];
  for (int i = 0; i < rounds; ++i) value = shifted(s, t, value, 7);
  out[t] = value;
}

static std::vector<int> numbers(int count, int seed) {
  check::Random random(seed);
  return random.integers<int>(count, -1000, 1000);
}

template <class T>
static void check_all_sums(const char* name) {
  for (int threads : {32, 64, 224}) {
    const auto whole = numbers(threads * 3, threads);
    const std::vector<T> in(whole.begin(), whole.end());
    std::vector<T> want(in.size(), T{});
    for (std::size_t i = 0; i < in.size(); ++i)
      for (int k = 0; k < 32; ++k) want[i] += in[i / 32 * 32 + k];
    check::Array<T> source(in), out(in.size());
    all_sums<T><<<3, threads, threads * sizeof(T)>>>(source.data(), out.data());
    check::equal(name, out.get(), want);
  }
}

static void check_loops() {
  const auto in = numbers(128 * 3, 20);
  std::vector<int> want(in.size(), 0);
  for (std::size_t i = 0; i < in.size(); ++i)
    for (int k = 0; k < 32; ++k) want[i] += in[i / 32 * 32 + k];
  check::Array<int> source(in), out(in.size());
  all_sums_loop<<<3, 128>>>(source.data(), out.data());
  check::equal("all_sums_loop", out.get(), want);
}

static void check_sorts() {
  const auto in = numbers(64 * 5, 21);
  auto want = in;
  for (int b = 0; b < 5; ++b) std::sort(want.begin() + b * 64, want.begin() + b * 64 + 64);
  check::Array<int> source(in), out(in.size());
  bitonic<<<5, 32>>>(source.data(), out.data());
  check::equal("bitonic", out.get(), want);

  const auto whole = numbers(32 * 12, 22);
  std::vector<float> reals(whole.begin(), whole.end()), sorted(reals);
  for (int w = 0; w < 12; ++w) std::sort(sorted.begin() + w * 32, sorted.begin() + w * 32 + 32);
  check::Array<float> real_source(reals), real_out(reals.size());
  odd_even<<<3, dim3(32, 4)>>>(real_source.data(), real_out.data());
  check::equal("odd_even", real_out.get(), sorted);
}

static void check_rounds() {
  for (int rounds : {0, 1, 5, 11}) {
    const auto in = numbers(32 * 6, 23 + rounds);
    auto want = in;
    for (int i = 0; i < rounds; ++i) {
      const auto old = want;
      for (int k = 0; k < 32 * 6; ++k)
        if (k % 32 != 0 && k % 32 != 31) want[k] = old[k - 1] + 2 * old[k] + old[k + 1];
    }
    check::Array<int> source(in), out(in.size());
    smooth<<<3, dim3(32, 2)>>>(source.data(), out.data(), rounds);
    check::equal("smooth", out.get(), want);
  }
  for (int n : {64, 50, 48, 31}) {
    const auto in = numbers(64, n);
    std::vector<int> want(in);
    for (int i = 0; i < 3; ++i) {
      const auto old = want;
      for (int t = 0; t < n; ++t) want[t] = old[t] + old[t / 32 * 32 + (t + 1) % 16];
    }
    std::fill(want.begin() + n, want.end(), -7);
    check::Array<int> source(in), out(std::vector<int>(64, -7));
    with_returns<<<1, 64>>>(source.data(), out.data(), n);
    check::equal("with_returns", out.get(), want);
  }
}

template <unsigned threads>
static void check_least() {
  const auto whole = numbers(threads * 3, threads + 1);
  const std::vector<float> in(whole.begin(), whole.end());
  check::Array<float> source(in);
  check::Array<Best> out(3);
  least<threads><<<3, threads>>>(source.data(), out.data());
  const auto got = out.get();
  for (unsigned b = 0; b < 3; ++b) {
    const auto first = in.begin() + b * threads;
    const auto at = std::min_element(first, first + threads);
    CHECK(got[b].value == *at && got[b].place == at - first);
  }
}

static void check_roles() {
  const auto in = numbers(32 * 9, 30);
  std::vector<int> flags(in.size()), sums(in), before(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) flags[i] = in[i] % 5 == 0;
  for (std::size_t i = 0; i < in.size(); ++i)
    if (i % 32 != 0 && !flags[i]) sums[i] += sums[i - 1];
  for (std::size_t i = 1; i < in.size(); ++i) before[i] = before[i - 1] + in[i - 1];
  check::Array<int> source(in), marks(flags), out(in.size()), carried(in.size());
  stretches<<<9, 32>>>(source.data(), marks.data(), out.data());
  check::equal("stretches", out.get(), sums);
  in_turns<<<1, 32>>>(source.data(), carried.data(), 9);
  check::equal("in_turns", carried.get(), before);

  std::vector<int> want(64, 0), turned(64);
  for (int t = 0; t < 32; ++t) want[0] += in[t];
  for (int t = 63; t >= 0; --t) want[t] = want[0] + in[32 + (t % 32 + 21) % 32] + 7;
  check::Array<int> both(64);
  two_roles<<<1, 64>>>(source.data(), both.data());
  check::equal("two_roles", both.get(), want);

  for (int t = 0; t < 64; ++t) turned[t] = in[t / 32 * 32 + (t % 32 + 35) % 32];
  check::Array<int> moved(64);
  calls<<<1, 64>>>(source.data(), moved.data(), 5);
  check::equal("calls", moved.get(), turned);
}

int main() {
  check_all_sums<int>("all_sums int");
  check_all_sums<double>("all_sums double");
  check_loops();
  check_sorts();
  check_rounds();
  check_least<32>();
  check_least<64>();
  check_least<256>();
  check_least<512>();
  check_roles();
  return check::finish();
}
