// Threads of a vector far from each other in memory: anti-diagonals, columns, places that were
// loaded or are sums of far numbers, members of structures; counting in rounds that threads take in
// turn.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Shared memory | threads that read and write scattered places
#include "check.h"

#include <algorithm>
#include <climits>

namespace {

/// Each cell from its neighbours above and left, a barrier for each diagonal.
template <class T, int size>
__global__ void wave(const T* in, T* out) {
  __shared__ T s[size + 1][size + 1];
  const int t = threadIdx.x;
  s[0][t + 1] = in[t];
  s[t + 1][0] = in[size + t];
  if (t == 0) s[0][0] = 1;
  __syncthreads();
  for (int step = 0; step < 2 * size - 1; ++step) {
    const int y = step - t;
    if (y >= 0 && y < size)
      s[y + 1][t + 1] = static_cast<T>(s[y][t] + s[y][t + 1] - s[y + 1][t] + 1);
    __syncthreads();
  }
  for (int y = 0; y < size; ++y) out[y * size + t] = s[y + 1][t + 1];
}

template <class T, int size>
void test_wave() {
  const auto in = check::Random(5).integers<T>(2 * size, 0, 9);
  check::Array<T> from(in), to(size * size);
  wave<T, size><<<1, size>>>(from.data(), to.data());
  std::vector<std::vector<T>> s(size + 1, std::vector<T>(size + 1, T(1)));
  for (int i = 0; i < size; ++i) s[0][i + 1] = in[i], s[i + 1][0] = in[size + i];
  std::vector<T> want;
  for (int y = 1; y <= size; ++y)
    for (int x = 1; x <= size; ++x)
      want.push_back(s[y][x] = static_cast<T>(s[y - 1][x - 1] + s[y - 1][x] - s[y][x - 1] + 1));
  check::equal("wave", to.get(), want);
}

/// A histogram in rounds. The guard before the barrier uses the number the loop begins with.
template <int step>
__global__ void bins(const unsigned* keys, int n, int shift, unsigned count, unsigned* all) {
  __shared__ unsigned mine[37];
  const int t = threadIdx.x;
  if (t < 37) mine[t] = 0;
  __syncthreads();
  for (int i = t; i < n; i += step) atomicAdd(&mine[(keys[i] >> shift) % 37], count);
  __syncthreads();
  if (t < 37) all[t] = mine[t];
}

/// The same with a step that is not known, and the largest key.
__global__ void bins_and_largest(const unsigned* keys, int n, unsigned* all, unsigned* ranks) {
  __shared__ unsigned mine[64], largest;
  const int t = threadIdx.x;
  for (int b = t; b < 64; b += blockDim.x) mine[b] = 0;
  if (t == 0) largest = 0;
  __syncthreads();
  for (int i = t; i < n; i += blockDim.x) {
    ranks[i] = atomicAdd(&mine[keys[i] & 63], 1u);
    atomicMax(&largest, keys[i]);
  }
  __syncthreads();
  for (int b = t; b < 64; b += blockDim.x) all[b] = mine[b];
  if (t == 0) all[64] = largest;
}

void test_bins(int n, unsigned threads) {
  const auto in = check::Random(7).integers<unsigned>(n, 0, 40000);
  check::Array<unsigned> keys(in), all(37), more(65), ranks(n);
  if (threads == 64)
    bins<64><<<1, threads>>>(keys.data(), n, 3, 5u, all.data());
  else
    bins<96><<<1, 96>>>(keys.data(), n, 3, 5u, all.data());
  bins_and_largest<<<1, threads>>>(keys.data(), n, more.data(), ranks.data());
  std::vector<unsigned> want(37), want_more(65);
  for (unsigned key : in) {
    want[(key >> 3) % 37] += 5;
    ++want_more[key & 63];
    want_more[64] = std::max(want_more[64], key);
  }
  check::equal("bins", all.get(), want);
  check::equal("more bins", more.get(), want_more);
  // Each rank of each bin once.
  std::vector<std::vector<unsigned>> of_bin(64);
  const auto got = ranks.get();
  for (int i = 0; i < n; ++i) of_bin[in[i] & 63].push_back(got[i]);
  for (auto& one : of_bin) {
    std::sort(one.begin(), one.end());
    for (unsigned i = 0; i < one.size(); ++i) CHECK_EQ(one[i], i);
  }
}

/// Columns of counters, one for each thread.
__global__ void ranks(const unsigned char* keys, int* out, int items) {
  extern __shared__ int counters[];
  const unsigned t = threadIdx.x, n = blockDim.x;
  for (int d = 0; d < 8; ++d) counters[d * n + t] = 0;
  for (int i = 0; i < items; ++i) {
    const unsigned key = keys[t * items + i] & 7;
    out[t * items + i] = counters[key * n + t]++;
  }
  __syncthreads();
  for (int d = 0; d < 8; ++d) out[n * items + t * 8 + d] = counters[t * 8 + d];
}

void test_ranks(unsigned threads, int items) {
  const auto in = check::Random(9).integers<unsigned char>(threads * items, 0, 255);
  check::Array<unsigned char> keys(in);
  check::Array<int> out(threads * (items + 8));
  ranks<<<1, threads, threads * 8 * sizeof(int)>>>(keys.data(), out.data(), items);
  std::vector<int> counters(threads * 8), want;
  for (unsigned t = 0; t < threads; ++t)
    for (int i = 0; i < items; ++i)
      want.push_back(counters[(in[t * items + i] & 7) * threads + t]++);
  want.insert(want.end(), counters.begin(), counters.end());
  check::equal("ranks", out.get(), want);
}

/// Sums of far numbers come back to the array.
__global__ void far_sums(const long long* to, const int* back, const unsigned* around,
                         long long far, int near, double* out) {
  __shared__ double s[256];
  const int t = threadIdx.x;
  s[t] = 1.5 * t;
  __syncthreads();
  double sum = s[far + to[t]];
  sum += 1000 * s[static_cast<long long>(near) + back[t]];
  sum += 1e6 * s[around[t] + static_cast<unsigned>(near)];
  __syncthreads();
  s[far + to[t]] = sum;
  __syncthreads();
  out[t] = s[t];
}

void test_far_sums(unsigned threads, long long far, int near) {
  std::vector<long long> to;
  std::vector<int> back;
  std::vector<unsigned> around;
  std::vector<unsigned> place;
  for (unsigned t = 0; t < threads; ++t) place.push_back(t * 7 % threads);
  for (unsigned t = 0; t < threads; ++t) {
    to.push_back(static_cast<long long>(place[t]) - far);
    back.push_back(static_cast<int>(static_cast<long long>((t + 3) % threads) - near));
    around.push_back((t * 5 % threads) - static_cast<unsigned>(near));
  }
  check::Array<long long> a(to);
  check::Array<int> b(back);
  check::Array<unsigned> c(around);
  check::Array<double> out(threads);
  far_sums<<<1, threads>>>(a.data(), b.data(), c.data(), far, near, out.data());
  std::vector<double> want(threads);
  for (unsigned t = 0; t < threads; ++t)
    want[place[t]] =
        1.5 * place[t] + 1000 * (1.5 * ((t + 3) % threads)) + 1e6 * (1.5 * (t * 5 % threads));
  check::equal("far sums", out.get(), want);
}

struct Cell {
  char tag;
  short half[3];
  float value[5];
  long long wide;
};

/// Members of structures, in shared memory and outside.
__global__ void members(const Cell* cells, const int* order, const int* member, float* values,
                        long long* wides, short* halves, int n) {
  __shared__ Cell s[64];
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  if (i < n) s[order[t]] = cells[i];
  __syncthreads();
  if (i >= n) return;
  const Cell& mine = s[order[63 - t]];
  values[i] = mine.value[member[t]] + cells[n - 1 - i].value[member[t]];
  wides[i] = s[order[t]].wide - cells[i].wide;
  halves[i] = s[order[t]].half[member[t] % 3];
}

void test_members() {
  constexpr int n = 192;
  check::Random random(11);
  std::vector<Cell> cells(n);
  for (Cell& cell : cells) {
    std::memset(&cell, 0, sizeof cell);
    cell.tag = 'x';
    for (short& half : cell.half) half = static_cast<short>(random.integer(-9, 9));
    for (float& value : cell.value) value = static_cast<float>(random.integer(-99, 99));
    cell.wide = random.integer(-(1LL << 40), 1LL << 40);
  }
  std::vector<int> order, member;
  for (int t = 0; t < 64; ++t) order.push_back(t * 13 % 64), member.push_back(t * 3 % 5);
  check::Array<Cell> from(cells);
  check::Array<int> a(order), b(member);
  check::Array<float> values(n);
  check::Array<long long> wides(n);
  check::Array<short> halves(n);
  members<<<n / 64, 64>>>(from.data(), a.data(), b.data(), values.data(), wides.data(),
                          halves.data(), n);
  std::vector<float> want;
  std::vector<short> want_halves;
  for (int i = 0; i < n; ++i) {
    const int t = i % 64;
    want.push_back(cells[i - t + 63 - t].value[member[t]] + cells[n - 1 - i].value[member[t]]);
    want_halves.push_back(cells[i].half[member[t] % 3]);
  }
  check::equal("members", values.get(), want);
  check::equal("wide members", wides.get(), std::vector<long long>(n, 0));
  check::equal("halves", halves.get(), want_halves);
}

/// Matrices along a diagonal, and upwards; subscripts of 32 and 64 bits.
__global__ void diagonals(const int* in, int* out, int width, long long pitch, int rows) {
  const int t = threadIdx.x;
  for (int round = 0; round < rows; ++round) {
    int value = in[(t + round) * width + t] - in[(rows + 60 - t) * pitch + round];
    out[t * pitch + (t + round) % width] = value;
  }
}

void test_diagonals(unsigned threads, int width, int rows) {
  const auto in = check::Random(13).integers<int>((rows + 62) * width, -1000, 1000);
  check::Array<int> from(in), to(std::vector<int>(threads * width, 3));
  diagonals<<<1, threads>>>(from.data(), to.data(), width, width, rows);
  std::vector<int> want(threads * width, 3);
  for (int t = 0; t < static_cast<int>(threads); ++t)
    for (int round = 0; round < rows; ++round)
      want[t * width + (t + round) % width] =
          in[(t + round) * width + t] - in[(rows + 60 - t) * width + round];
  check::equal("diagonals", to.get(), want);
}

}  // namespace

int main() {
  test_wave<int, 32>();
  test_wave<int, 19>();
  test_wave<float, 16>();
  test_wave<double, 33>();
  test_wave<unsigned char, 40>();
  test_wave<long long, 7>();
  for (int n : {1, 63, 64, 65, 1000, 2048, 4099})
    for (unsigned threads : {1u, 40u, 64u, 128u, 255u}) test_bins(n, threads);
  for (unsigned threads : {1u, 17u, 64u, 250u})
    for (int items : {1, 5, 8}) test_ranks(threads, items);
  for (unsigned threads : {1u, 30u, 96u, 256u})
    for (long long far : {0LL, 5LL, -77LL, 1LL << 31, -(1LL << 31), 1LL << 40, -(1LL << 59)})
      for (int near : {0, 9, INT_MAX - 700, INT_MIN + 700}) test_far_sums(threads, far, near);
  test_members();
  for (unsigned threads : {1u, 33u, 61u}) {
    test_diagonals(threads, 64, 5);
    test_diagonals(threads, 71, 20);
  }
  return check::finish();
}
