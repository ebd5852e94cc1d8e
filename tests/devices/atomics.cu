// Atomic operations of all kinds, with and without used results.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

using namespace devices;

__global__ void histogram(const int* in, int n, int* bins, int count) {
  const int i = global_x();
  if (i < n) atomicAdd(&bins[in[i] % count], 1);
}
__global__ void histogram_shared(const int* in, int n, int* bins) {
  __shared__ int own[64];
  for (int b = threadIdx.x; b < 64; b += blockDim.x) own[b] = 0;
  __syncthreads();
  for (int i = global_x(); i < n; i += gridDim.x * blockDim.x) atomicAdd(&own[in[i] % 64], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < 64; b += blockDim.x) atomicAdd(&bins[b], own[b]);
}
__global__ void extremes(const int* in, int n, int* out) {
  const int i = global_x();
  if (i >= n) return;
  atomicMin(&out[0], in[i]);
  atomicMax(&out[1], in[i]);
  atomicAnd(&out[2], in[i] | 0xff00);
  atomicOr(&out[3], in[i] & 0x0f);
  atomicXor(&out[4], in[i]);
  atomicAdd(&out[5], in[i]);
  atomicSub(&out[6], in[i]);
}
__global__ void floats(const float* in, int n, float* sum, double* wide) {
  const int i = global_x();
  if (i >= n) return;
  atomicAdd(sum, in[i]);
  atomicAdd(wide, static_cast<double>(in[i]) / 4);
}
__global__ void wrap(unsigned* up, unsigned* down, int n) {
  if (global_x() >= n) return;
  atomicInc(up, 16);
  atomicDec(down, 16);
}
__global__ void long_sum(const int* in, int n, unsigned long long* sum) {
  const int i = global_x();
  if (i < n) atomicAdd(sum, static_cast<unsigned long long>(in[i]) << 20);
}
// Each thread takes a place: every number once, in any order.
__global__ void take_places(int* next, int* places, int n) {
  const int i = global_x();
  if (i < n) places[i] = atomicAdd(next, 1);
}
__global__ void pick_large(const int* in, int n, int limit, int* count, int* out) {
  const int i = global_x();
  if (i < n && in[i] >= limit) out[atomicAdd(count, 1)] = in[i];
}
__global__ void float_max(const float* in, int n, int* most) {  // by comparing and swapping
  const int i = global_x();
  if (i >= n) return;
  int seen = *most;
  while (__int_as_float(seen) < in[i]) {
    const int before = atomicCAS(most, seen, __float_as_int(in[i]));
    if (before == seen) break;
    seen = before;
  }
}
__global__ void claim(int* owners, const int* wishes, int* won, int n) {
  const int i = global_x();
  if (i < n) won[i] = atomicCAS(&owners[wishes[i]], -1, i) == -1;
}
// The counter is added to and read by the same kernel.
__global__ void last_block(const int* in, int n, int* partial, int* done, int* total) {
  const int i = global_x();
  if (i < n) atomicAdd(&partial[blockIdx.x], in[i]);
  __threadfence();
  __syncthreads();
  if (threadIdx.x != 0 || atomicAdd(done, 1) != static_cast<int>(gridDim.x) - 1) return;
  int sum = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) sum += atomicAdd(&partial[b], 0);
  *total = sum;
}

void integers(Random& random, int n) {
  const vector<int> in = random.integers<int>(n, 0, 0xffff);
  Array<int> values(in);
  const auto grid = blocks(n, 32);
  for (const int count : {1, 7, 64}) {
    Array<int> bins(vector<int>(count, 5));
    vector<int> want(count, 5);
    for (int turn = 0; turn < 2; ++turn) {
      histogram<<<grid, 32>>>(values.data(), n, bins.data(), count);
      for (const int value : in) ++want[value % count];
    }
    result("histogram", bins, want);
  }
  Array<int> bins(vector<int>(64, 0));
  histogram_shared<<<7, 96>>>(values.data(), n, bins.data());
  vector<int> want(64, 0);
  for (const int value : in) ++want[value % 64];
  result("shared histogram", bins, want);

  vector<int> ends{1 << 30, -1, ~0, 0, 0x55, 10, 20};
  Array<int> out(ends);
  extremes<<<grid, 32>>>(values.data(), n, out.data());
  for (const int v : in) {
    ends[0] = std::min(ends[0], v), ends[1] = std::max(ends[1], v);
    ends[2] &= v | 0xff00, ends[3] |= v & 0x0f, ends[4] ^= v, ends[5] += v, ends[6] -= v;
  }
  result("extremes", out, ends);

  Array<unsigned long long> sum(vector<unsigned long long>(1, 3));
  long_sum<<<grid, 32>>>(values.data(), n, sum.data());
  unsigned long long total = 3;
  for (const int v : in) total += static_cast<unsigned long long>(v) << 20;
  result("long", sum, {total});

  Array<unsigned> turns(vector<unsigned>{3, 3});
  wrap<<<grid, 32>>>(turns.data(), turns.data() + 1, n);
  result("wrapped", turns, {(3u + n) % 17, (3u + 17u * n - n) % 17});
}

void results_used(Random& random, int n) {
  const vector<int> in = random.integers<int>(n, 0, 999);
  Array<int> values(in), places(n), count(vector<int>(2, 0)), large(n);
  take_places<<<blocks(n, 32), 32>>>(count.data(), places.data(), n);
  vector<int> got = places.get(), want(n);
  std::sort(got.begin(), got.end());
  std::iota(want.begin(), want.end(), 0);
  result("places", got, want);
  pick_large<<<blocks(n, 32), 32>>>(values.data(), n, 500, count.data() + 1, large.data());
  got = large.get();
  want.clear();
  for (const int value : in)
    if (value >= 500) want.push_back(value);
  result("counts", count, {n, static_cast<int>(want.size())});
  got.resize(want.size());
  std::sort(got.begin(), got.end());
  std::sort(want.begin(), want.end());
  result("large", got, want);

  const vector<int> wishes = random.integers<int>(n, 0, n / 2);
  Array<int> wished(wishes), owners(vector<int>(n, -1)), won(n);
  claim<<<blocks(n, 32), 32>>>(owners.data(), wished.data(), won.data(), n);
  const vector<int> owner = owners.get(), winners = won.get();
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    wrong += winners[i] != (owner[wishes[i]] == i);
    wrong += owner[wishes[i]] < 0 || wishes[owner[wishes[i]]] != wishes[i];
  }
  CHECK_EQ(wrong, 0);

  const auto grid = blocks(n, 32);
  Array<int> partial(vector<int>(grid, 0)), rest(vector<int>(2, 0));
  last_block<<<grid, 32>>>(values.data(), n, partial.data(), rest.data(), rest.data() + 1);
  result("total", rest, {static_cast<int>(grid), std::accumulate(in.begin(), in.end(), 0)});
}

void floating(Random& random, int n) {
  const vector<float> in = random.integers<float>(n, -8, 8);  // every order gives the same sum
  Array<float> values(in), sum(vector<float>(1, 1));
  Array<double> wide(vector<double>(1, 2));
  floats<<<blocks(n, 32), 32>>>(values.data(), n, sum.data(), wide.data());
  const double total = std::accumulate(in.begin(), in.end(), 0.0);
  result("sum", sum, {static_cast<float>(1 + total)});
  result("wide sum", wide, {2 + total / 4});
  const float least = -100;
  int most = 0;
  std::memcpy(&most, &least, sizeof most);
  Array<int> best(vector<int>(1, most));
  float_max<<<blocks(n, 32), 32>>>(values.data(), n, best.data());
  const float largest = *std::max_element(in.begin(), in.end());
  std::memcpy(&most, &largest, sizeof most);
  result("largest", best, {most});
  // Order matters: within the bound of a sum of n terms.
  const vector<float> rough = random.reals<float>(n, 0, 1);
  Array<float> terms(rough), total_of(vector<float>(1, 0));
  floats<<<blocks(n, 32), 32>>>(terms.data(), n, total_of.data(), wide.data());
  const double exact = std::accumulate(rough.begin(), rough.end(), 0.0);
  check::near("rough sum", total_of.get(), {static_cast<float>(exact)}, n * 6e-8);
}

int main() {
  Random random(22);
  for (const int n : {1, 5, 97, 1009})
    integers(random, n), results_used(random, n), floating(random, n);
  return finish();
}
