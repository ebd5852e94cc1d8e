// Arrays of a thread's own that outlive barriers: read whole vectors at a time, element by element,
// from places that differ between threads, in parts, as bytes; conditions that outlive barriers;
// words that are looked at as smaller numbers. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
// FEATURE: Barriers | arrays of each thread's own, and conditions, kept across barriers
#include "check.h"

#include <algorithm>

namespace {

constexpr int items = 12;

/// Items in the order in which the thread asks for them, then turned round through a neighbour.
template <class T>
__global__ void turn_round(const T* in, T* out, int count) {
  __shared__ T last[320];
  const int t = threadIdx.x, threads = blockDim.x;
  T mine[items];
  for (int i = 0; i < count; ++i) mine[i] = in[i * threads + t];
  for (int i = 0; i < count; ++i) {
    last[t] = mine[i];
    __syncthreads();
    mine[count - 1 - i] = static_cast<T>(mine[count - 1 - i] + last[threads - 1 - t]);
    __syncthreads();
  }
  for (int i = 0; i < count; ++i) out[i * threads + t] = mine[(i + t) % count];
}

template <class T>
void test_turn_round(int threads, int count) {
  const auto in = check::Random(7).integers<T>(threads * count, 0, 100);
  check::Array<T> from(in), to(threads * count);
  turn_round<T><<<1, threads>>>(from.data(), to.data(), count);
  std::vector<T> mine(in), want(in);
  for (int i = 0; i < count; ++i) {
    const std::vector<T> last(mine.begin() + i * threads, mine.begin() + (i + 1) * threads);
    for (int t = 0; t < threads; ++t) {
      T& other = mine[(count - 1 - i) * threads + t];
      other = static_cast<T>(other + last[threads - 1 - t]);
    }
  }
  for (int i = 0; i < count; ++i)
    for (int t = 0; t < threads; ++t) want[i * threads + t] = mine[(i + t) % count * threads + t];
  check::equal("turn_round", to.get(), want);
}

/// Nobody may take such arrays apart: one is filled as bytes, one is handed on, one has members.
struct Pair {
  short first;
  int second;
};

__device__ __noinline__ int sum_of(const int* numbers, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += numbers[i];
  return sum;
}

__global__ void whole(const int* in, int* out, int count) {
  const int t = threadIdx.x;
  int cleared[items] = {}, handed[items];
  Pair pairs[items];
  unsigned char bytes[16];
  for (int i = 0; i < count; ++i) {
    handed[i] = in[i * blockDim.x + t];
    pairs[i] = {static_cast<short>(i), handed[i]};
    *reinterpret_cast<int*>(&bytes[4 * (i % 4)]) = handed[i];
  }
  __syncthreads();
  cleared[in[t] % count] += 5;
  __syncthreads();
  int sum = sum_of(handed, count);
  for (int i = 0; i < count; ++i) sum += cleared[i] * (i + 1) + pairs[i].first * pairs[i].second;
  for (int i = 0; i < 16; ++i) sum += bytes[i] << i % 8;
  out[t] = sum;
}

void test_whole(int threads, int count) {
  const auto in = check::Random(9).integers<int>(threads * count, 0, 1000);
  check::Array<int> from(in), to(threads);
  whole<<<1, threads>>>(from.data(), to.data(), count);
  std::vector<int> want;
  for (int t = 0; t < threads; ++t) {
    int sum = 5 * (in[t] % count + 1), last[4];
    for (int i = 0; i < count; ++i) {
      const int one = in[i * threads + t];
      sum += one + i * one;
      last[i % 4] = one;
    }
    for (int i = 0; i < 16; ++i) sum += (last[i / 4] >> i % 4 * 8 & 255) << i % 8;
    want.push_back(sum);
  }
  check::equal("whole", to.get(), want);
}

/// Four words in one load, looked at as numbers of another size, and four words in one store.
template <class T>
struct alignas(16) Packed {
  static constexpr int size = 16 / sizeof(T);
  T numbers[size];
};

template <class T>
__global__ void packed(const T* in, T* out, const int* places, int n) {
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) * Packed<T>::size;
  if (i >= n) return;
  const int4 words = *reinterpret_cast<const int4*>(in + i);
  Packed<T> mine, result;
  memcpy(&mine, &words, sizeof(words));
#pragma unroll 1
  for (int k = 0; k < Packed<T>::size; ++k) {
    const int from = places[i + k];  // of each thread's own
    result.numbers[k] = static_cast<T>(mine.numbers[from] * T(3) + T(k));
    mine.numbers[from] = static_cast<T>(mine.numbers[from] + T(1));
  }
  int4 done;
  memcpy(&done, &result, sizeof(done));
  *reinterpret_cast<int4*>(out + i) = done;
}

template <class T>
void test_packed(int threads, int blocks, int vectors) {
  constexpr int size = Packed<T>::size;
  const int n = vectors * size;
  const auto in = check::Random(15).integers<T>(n, 0, 30);
  const auto places = check::Random(17).integers<int>(n, 0, size - 1);
  check::Array<T> from(in), to(n);
  check::Array<int> where(places);
  packed<T><<<blocks, threads>>>(from.data(), to.data(), where.data(), n);
  std::vector<T> mine(in), want(n);
  for (int i = 0; i < n; ++i) {
    T& one = mine[i / size * size + places[i]];
    want[i] = static_cast<T>(one * T(3) + T(i % size));
    one = static_cast<T>(one + T(1));
  }
  check::equal("packed", to.get(), want);
}

/// How many lanes before this one have the same digit, by one vote for each bit; a tile of numbers
/// in rows and columns of each thread's own.
__global__ void ranks(const unsigned* keys, int* before, int count) {
  const int t = threadIdx.x, lane = t % 32;
  int found[items / 4][4];
  for (int i = 0; i < count; ++i) {
    const unsigned key = keys[i * blockDim.x + t];
    unsigned peers = 0xffffffff;
    for (unsigned bit = 1; bit < 32; bit *= 2) {
      const unsigned with = __ballot_sync(0xffffffff, key & bit);
      peers &= key & bit ? with : ~with;
    }
    found[i / 4][i % 4] = __popc(peers & ((1u << lane) - 1));
  }
  __syncthreads();
  for (int i = 0; i < count; ++i) before[i * blockDim.x + t] = found[i / 4][i % 4];
}

void test_ranks(int threads, int count) {
  const auto in = check::Random(11).integers<unsigned>(threads * count, 0, 31);
  check::Array<unsigned> keys(in);
  check::Array<int> before(threads * count);
  ranks<<<1, threads>>>(keys.data(), before.data(), count);
  std::vector<int> want;
  for (int i = 0; i < threads * count; ++i) {
    const int lane = i % threads % 32;
    want.push_back(static_cast<int>(std::count(&in[i - lane], &in[i], in[i])));
  }
  check::equal("ranks", before.get(), want);
}

/// Warps of a block with rows and layers: which is whose, by what its first lane sends.
__global__ void places(int* out) {
  const int linear = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const int mine = threadIdx.x + 1000 * threadIdx.y + 1000000 * threadIdx.z;
  out[linear] = __shfl_sync(0xffffffff, mine, 3);
}

void test_places(dim3 size) {
  const int threads = static_cast<int>(size.x * size.y * size.z);
  check::Array<int> out(threads);
  places<<<1, size>>>(out.data());
  std::vector<int> want;
  for (unsigned z = 0; z < size.z; ++z)
    for (unsigned y = 0; y < size.y; ++y)
      for (unsigned x = 0; x < size.x; ++x)
        want.push_back(static_cast<int>(x / 32 * 32 + 3 + 1000 * y + 1000000 * z));
  check::equal("places", out.get(), want);
}

/// A condition that outlives barriers.
__global__ void larger(const float* in, float* out, int n) {
  __shared__ float s[320];
  const int t = threadIdx.x;
  const float mine = t < n ? in[t] : 0;
  const bool is_large = mine > 0.5f;
  s[t] = mine;
  __syncthreads();
  const float next = s[(t + 1) % blockDim.x];
  __syncthreads();
  s[t] = is_large ? next : -next;
  __syncthreads();
  if (t < n) out[t] = s[blockDim.x - 1 - t] + (is_large ? 1 : 0);
}

void test_larger(int threads, int n) {
  const auto in = check::Random(13).reals<float>(n, 0, 1);
  check::Array<float> from(in), to(n);
  larger<<<1, threads>>>(from.data(), to.data(), n);
  auto at = [&](int t) { return t < n ? in[t] : 0.0f; };
  std::vector<float> want;
  for (int t = 0; t < n; ++t) {
    const int other = threads - 1 - t;
    const float next = at((other + 1) % threads);
    want.push_back((at(other) > 0.5f ? next : -next) + (at(t) > 0.5f ? 1.0f : 0.0f));
  }
  check::equal("larger", to.get(), want);
}

}  // namespace

int main() {
  for (int threads : {5, 64, 131}) {
    test_packed<unsigned char>(threads, 3, 3 * threads - 2);
    test_packed<short>(threads, 3, 3 * threads - 1);
    test_packed<float>(threads, 3, 3 * threads);
    test_packed<double>(threads, 3, 3 * threads - 3);
    test_packed<long long>(threads, 3, 2 * threads + 1);
  }
  for (int threads : {1, 7, 32, 45, 256, 301}) {
    for (int count : {1, 4, 11, items}) {
      test_turn_round<int>(threads, count);
      test_turn_round<double>(threads, count);
      test_turn_round<unsigned char>(threads, count);
      if (count >= 4) test_whole(threads, count);
    }
    test_larger(threads, threads - threads / 3);
  }
  for (int threads : {32, 96, 256})
    for (int count : {1, 6, items}) test_ranks(threads, count);
  for (dim3 size : {dim3(32), dim3(64, 3), dim3(32, 4, 2), dim3(96, 1, 3), dim3(64, 2, 3)})
    test_places(size);
  return check::finish();
}
