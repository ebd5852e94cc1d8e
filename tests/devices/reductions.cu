// Atomic updates that parts share: each device has a private copy, and all are combined.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

using namespace devices;

using Long = long long;
using Unsigned64 = unsigned long long;

__device__ unsigned symbol_bins[64];
__device__ Unsigned64 symbol_total = 5;

template <class T>
__global__ void histogram(const int* place, const T* weight, int n, T* bins) {
  const int i = global_x();
  if (i < n) atomicAdd(&bins[place[i]], weight[i]);
}
template <class T>
__global__ void extremes(const T* in, int n, T* low, T* high, T* all, T* any, T* odd) {
  const int i = global_x();
  if (i >= n) return;
  atomicMin(low, in[i]);
  atomicMax(high, in[i]);
  atomicAnd(all, in[i]);
  atomicOr(any, in[i]);
  atomicXor(odd, in[i]);
}
// One array, five operations: their elements are known.
__global__ void fields(const int* in, int n, int* out) {
  const int i = global_x();
  if (i >= n) return;
  atomicAdd(&out[0], in[i]);
  atomicMin(&out[1], in[i]);
  atomicMax(reinterpret_cast<unsigned*>(&out[2]), static_cast<unsigned>(in[i]));
  atomicXor(&out[3], in[i]);
  atomicAdd(reinterpret_cast<float*>(&out[4]), 0.5f);
}
__global__ void into_symbols(const int* place, int n) {
  const int i = global_x();
  if (i >= n) return;
  atomicAdd(&symbol_bins[place[i]], 3u);
  atomicAdd(&symbol_total, 1ull << (i % 40));
}
__global__ void out_of_symbols(unsigned* out) {
  if (global_x() < 64) out[global_x()] = symbol_bins[global_x()];
}
// Integers and floats in one array, at places nobody knows before.
__global__ void two_types(const int* place, int n, int* out) {
  const int i = global_x();
  if (i >= n) return;
  atomicAdd(&out[2 * place[i]], 1);
  atomicAdd(reinterpret_cast<float*>(&out[2 * place[i] + 1]), 1.0f);
}
__global__ void with_own(const int* in, int n, int* square, int* bins) {
  const int i = global_x();
  if (i >= n) return;
  square[i] = in[i] * in[i];
  atomicAdd(&bins[in[i]], i);
}
// Both may be ranges of one allocation.
__global__ void two_ranges(const int* place, int n, int* first, int* second) {
  const int i = global_x();
  if (i >= n) return;
  atomicAdd(&first[place[i]], 1);
  atomicAdd(&second[place[i]], 100);
}
__global__ void add_and_most(const int* place, int n, int* sums, int* most) {
  const int i = global_x();
  if (i >= n) return;
  atomicAdd(&sums[place[i]], 1);
  atomicMax(&most[place[i]], i);
}
// Each element goes to itself and its neighbours: parts share their borders only.
__global__ void spread(const int* in, int n, int* out) {
  const int i = global_x();
  if (i >= n) return;
  if (i > 0) atomicAdd(&out[i - 1], in[i]);
  atomicAdd(&out[i], 2 * in[i]);
  if (i + 1 < n) atomicAdd(&out[i + 1], in[i]);
}
__global__ void column_sums(const int* in, int rows, int columns, int* sums) {
  const int x = global_x(), y = global_y();
  if (x < columns && y < rows) atomicAdd(&sums[x], in[y * columns + x]);
}
__global__ void scale(const int* bins, int n, int count, int* out) {
  const int i = global_x();
  if (i < n) out[i] = bins[i % count] * (i + 1);
}
__global__ void reals(const float* in, int n, float* sum, double* wide) {
  const int i = global_x();
  if (i >= n) return;
  atomicAdd(sum, in[i]);
  atomicAdd(wide, static_cast<double>(in[i]));
}

template <class T>
void histograms(const char* name, Random& random, int n) {
  constexpr int count = 37, turns = 3;
  const vector<int> place = random.integers<int>(n, 0, count - 1);
  const vector<T> weight = random.integers<T>(n, 0, 9);
  vector<T> want(count, T(2));
  Array<int> d_place(place);
  Array<T> d_weight(weight), bins(want);
  for (int turn = 0; turn < turns; ++turn) {
    histogram<<<blocks(n, 64), 64>>>(d_place.data(), d_weight.data(), n, bins.data());
    for (int i = 0; i < n; ++i) want[place[i]] += weight[i];
  }
  result(name, bins, want);
}

template <class T>
void bits(const char* name, Random& random, int n, long low, long high) {
  const vector<T> in = random.integers<T>(n, low, high);
  // Not the operations' identities: the old values count.
  vector<T> want{in[0], in[0], static_cast<T>(~T(4)), T(64), T(5)};
  const auto one = [](T value) { return vector<T>{value}; };
  Array<T> d_in(in), least(one(want[0])), most(one(want[1])), all(one(want[2])), any(one(want[3])),
      odd(one(want[4]));
  for (int turn = 0; turn < 2; ++turn) {
    extremes<<<blocks(n, 32), 32>>>(d_in.data(), n, least.data(), most.data(), all.data(),
                                    any.data(), odd.data());
    for (const T value : in) {
      want[0] = std::min(want[0], value), want[1] = std::max(want[1], value);
      want[2] &= value, want[3] |= value, want[4] ^= value;
    }
  }
  result(name, {least.get()[0], most.get()[0], all.get()[0], any.get()[0], odd.get()[0]}, want);
}

void several_operations(Random& random, int n) {
  const vector<int> in = random.integers<int>(n, -1000, 1000);
  Array<int> d_in(in);
  vector<int> want{7, 7, 0, 1, 0, 99};
  Array<int> out(want);
  fields<<<blocks(n, 32), 32>>>(d_in.data(), n, out.data());
  unsigned most = 0;
  for (const int value : in) {
    want[0] += value, want[1] = std::min(want[1], value), want[3] ^= value;
    most = std::max(most, static_cast<unsigned>(value));
  }
  const float half = 0.5f * n;
  std::memcpy(&want[2], &most, 4), std::memcpy(&want[4], &half, 4);
  result("fields", out, want);
}

vector<unsigned> want_symbols(64);
Unsigned64 want_total = 5;

void symbols(Random& random, int n) {
  const vector<int> place = random.integers<int>(n, 0, 63);
  Array<int> d_place(place);
  into_symbols<<<blocks(n, 64), 64>>>(d_place.data(), n);
  for (int i = 0; i < n; ++i) want_symbols[place[i]] += 3, want_total += 1ull << (i % 40);
  Array<unsigned> out(64);
  out_of_symbols<<<4, 16>>>(out.data());
  result("symbols", out, want_symbols);
  Unsigned64 total = 0;
  CUDA_OK(cudaMemcpyFromSymbol(&total, symbol_total, sizeof total));
  result<Unsigned64>("symbol", vector<Unsigned64>{total}, {want_total});
}

void places(Random& random, int n) {
  const vector<int> place = random.integers<int>(n, 0, 15);
  Array<int> d_place(place);
  const auto grid = blocks(n, 32);

  Array<int> pairs(vector<int>(32, 0));
  two_types<<<grid, 32>>>(d_place.data(), n, pairs.data());
  vector<int> counts(16), want(32);
  for (const int p : place) ++counts[p];
  for (int p = 0; p < 16; ++p) {
    const float count = static_cast<float>(counts[p]);
    want[2 * p] = counts[p], std::memcpy(&want[2 * p + 1], &count, 4);
  }
  result("two types", pairs, want);

  // An interior pointer; what lies around it stays as it is.
  Array<int> inside(vector<int>(60, 8)), ones(vector<int>(n, 1));
  want.assign(60, 8);
  histogram<<<grid, 32>>>(d_place.data(), ones.data(), n, inside.data() + 21);
  for (int p = 0; p < 16; ++p) want[21 + p] += counts[p];
  result("interior", inside, want);

  for (const int shift : {0, 5, 16}) {
    two_ranges<<<grid, 32>>>(d_place.data(), n, inside.data() + 10, inside.data() + 10 + shift);
    for (int p = 0; p < 16; ++p) want[10 + p] += counts[p], want[10 + shift + p] += 100 * counts[p];
  }
  result("two ranges", inside, want);

  // Not one operation: within one allocation this can't be told apart.
  Array<int> both(vector<int>(32, -1)), sums(vector<int>(16, 0)), most(vector<int>(16, 3));
  add_and_most<<<grid, 32>>>(d_place.data(), n, both.data(), both.data() + 16);
  add_and_most<<<grid, 32>>>(d_place.data(), n, sums.data(), most.data());
  want.assign(32, -1);
  vector<int> want_most(16, 3);
  for (int i = 0; i < n; ++i) {
    ++want[place[i]];
    want[16 + place[i]] = std::max(want[16 + place[i]], i);
    want_most[place[i]] = std::max(want_most[place[i]], i);
  }
  result("one allocation", both, want);
  result("sums", sums, counts);
  result("most", most, want_most);

  Array<int> square(n), bins(vector<int>(16, 0));
  with_own<<<grid, 32>>>(d_place.data(), n, square.data(), bins.data());
  vector<int> want_square(n), want_bins(16);
  for (int i = 0; i < n; ++i) want_square[i] = place[i] * place[i], want_bins[place[i]] += i;
  result("square", square, want_square);
  result("bins", bins, want_bins);
  Array<int> scaled(n);  // every device reads what was combined on one
  scale<<<grid, 32>>>(bins.data(), n, 16, scaled.data());
  for (int i = 0; i < n; ++i) want_square[i] = want_bins[i % 16] * (i + 1);
  result("scaled", scaled, want_square);
}

void borders(Random& random, int n) {
  const vector<int> in = random.integers<int>(n, -50, 50);
  vector<int> want(n, 1);
  Array<int> d_in(in), out(want);
  for (int turn = 0; turn < 3; ++turn) {
    spread<<<blocks(n, 32), 32>>>(d_in.data(), n, out.data());
    for (int i = 0; i < n; ++i) {
      if (i > 0) want[i - 1] += in[i];
      want[i] += 2 * in[i];
      if (i + 1 < n) want[i + 1] += in[i];
    }
  }
  result("spread", out, want);
}

// Along x columns are disjoint, along y they are shared.
void matrices(Random& random, int rows, int columns, dim3 block) {
  const vector<int> in = random.integers<int>(rows * columns, -9, 9);
  vector<int> want(columns, 4);
  Array<int> d_in(in), sums(want);
  column_sums<<<blocks(columns, rows, block), block>>>(d_in.data(), rows, columns, sums.data());
  for (int i = 0; i < rows * columns; ++i) want[i % columns] += in[i];
  result("columns", sums, want);
}

// Order matters: a sum of n terms is within n roundings of the exact one, however it is added up.
void rough(Random& random, int n) {
  const vector<float> in = random.reals<float>(n, 0, 1);
  Array<float> d_in(in), sum(vector<float>(1, 0));
  Array<double> wide(vector<double>(1, 0));
  reals<<<blocks(n, 32), 32>>>(d_in.data(), n, sum.data(), wide.data());
  const double exact = std::accumulate(in.begin(), in.end(), 0.0);
  check::near("float sum", sum.get(), {static_cast<float>(exact)}, n * 6e-8);
  check::near("double sum", wide.get(), {exact}, n * 1.2e-16);
}

int main() {
  Random random(41);
  for (const int n : {1, 40, 1009, 20011}) {
    histograms<int>("int", random, n);
    histograms<unsigned>("unsigned", random, n);
    histograms<Unsigned64>("64 bit", random, n);
    histograms<float>("float", random, n);  // of whole numbers: every order gives the same sum
    histograms<double>("double", random, n);
    bits<int>("int bits", random, n, -2000000000, 2000000000);
    bits<unsigned>("unsigned bits", random, n, 0, 4000000000);
    bits<Long>("long bits", random, n, -(1l << 62), 1l << 62);
    bits<Unsigned64>("unsigned long bits", random, n, 0, (1l << 62) + 7);
    several_operations(random, n);
    symbols(random, n);
    places(random, n);
    borders(random, n);
    rough(random, n);
  }
  matrices(random, 301, 7, dim3(8, 4));
  matrices(random, 64, 333, dim3(16, 8));
  matrices(random, 2048, 5, dim3(8, 16));
  return finish();
}
