// What depends on data: may-writes, gathers, scatters, flags, atomics, reductions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model.h"

using namespace model;

__global__ void may_write(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] > 0) out[i] = in[i];
}

// Floyd-Warshall as many write it: only improvements are stored.
__global__ void may_write_floyd(int* distance, int n, int k) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n) return;
  const int through = distance[i * n + k] + distance[k * n + j];
  if (through < distance[i * n + j]) distance[i * n + j] = through;
}

// Whatever the data, one of the two stores happens.
__global__ void either_write(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (in[i] > 0)
    out[i] = 1;
  else
    out[i] = -1;
}

// A read under a data-dependent condition.
__global__ void may_read(const int* in, const int* more, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] > 0 ? in[i] : more[i];
}

__global__ void may_loop(const int* length, int* out, int n, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < m && k < length[i]; ++k) out[i * m + k] = k;
}

__global__ void gather(const int* in, const int* index, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[index[i]];
}

// y = A x, A in compressed rows: loop bounds and subscripts come from memory.
__global__ void sparse(const int* start, const int* column, const float* value, const float* x,
                       float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = start[i]; k < start[i + 1]; ++k) sum += value[k] * x[column[k]];
  y[i] = sum;
}

__global__ void scatter(const int* index, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[index[i]] = i;
}

// Quadratic subscripts are not affine.
__global__ void quadratic(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * (i + 1) / 2] = i;
}

__global__ void flag(const int* in, int* changed, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] > 3) *changed = 1;
}

__global__ void flag_argument(int* out, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[0] = value;
}

__global__ void reduce_add(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(out, in[i]);
}

__global__ void reduce_float(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&out[i % 5], in[i]);
}

__global__ void reduce_min_max(const int* in, int* low, int* high, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicMin(low, in[i]);
  atomicMax(high, in[i]);
}

__global__ void reduce_unsigned_and_float(const unsigned* in, const float* floats, unsigned* low,
                                          unsigned* high, double* sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicMin(low, in[i]);
  atomicMax(high, in[i]);
  atomicAdd(&sums[i % 5], floats[i]);
}

__global__ void reduce_two_fields(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicAdd(&out[0], 1);
  atomicAdd(reinterpret_cast<float*>(out) + 1, 2.0f);
}

// Whether the places are different, nobody knows before.
__global__ void reduce_two_types(const int* place, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicAdd(&out[place[i]], 1);
  atomicAdd(reinterpret_cast<float*>(out) + place[i] + 256, 2.0f);
}

__global__ void reduce_two_widths(const int* place, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicAdd(&out[place[i]], 1);
  atomicAdd(reinterpret_cast<unsigned long long*>(out) + place[i] + 128, 2ull);
}

__global__ void reduce_bits(const unsigned* in, unsigned* all, unsigned* any, unsigned* odd,
                            int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicAnd(all, in[i]);
  atomicOr(any, in[i]);
  atomicXor(odd, in[i]);
}

__global__ void reduce_inc(unsigned* up, unsigned* down, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicInc(up, 0xFFFFFFFFu);
  atomicDec(down, 0xFFFFFFFFu);
}

__global__ void reduce_sub(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicSub(out, in[i]);
}

__global__ void histogram(const unsigned char* in, int* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[in[i]], 1);
}

// Counted in shared memory first; every block then adds all bins.
__global__ void histogram_shared(const unsigned char* in, int* bins, int n) {
  __shared__ int mine[64];
  for (int b = threadIdx.x; b < 64; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&mine[in[i] & 63], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < 64; b += blockDim.x) atomicAdd(&bins[b], mine[b]);
}

// Elements that pass are packed in any order: the result of the atomic is used.
__global__ void compact(const int* in, int* out, int* count, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] > 0) out[atomicAdd(count, 1)] = in[i];
}

__global__ void atomic_exchange(int* slot, int* old, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) old[i] = atomicExch(&slot[i], i);
}

// A maximum of floats by compare-and-swap.
__global__ void atomic_cas(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int* bits = reinterpret_cast<int*>(out);
  int old = *bits, assumed;
  do {
    assumed = old;
    if (__int_as_float(assumed) >= in[i]) break;
    old = atomicCAS(bits, assumed, __float_as_int(in[i]));
  } while (old != assumed);
}

static void test_data(Random& random, int n, unsigned block) {
  const unsigned grid = blocks(n, block);
  const auto in = random.integers<int>(n, -9, 9), more = random.integers<int>(n, -9, 9);
  auto index = random.integers<int>(n, 0, n - 1), order = index;
  for (int i = 0; i < n; ++i) order[i] = (i * 7 + 3) % n;  // a permutation: n is not divisible by 7
  Array<int> d_in(in), d_more(more), d_index(index), d_order(order);
  Array<int> d_may(n), d_either(n), d_read(n), d_loop(4 * n), d_gather(n), d_scatter(n),
      d_quadratic(n * (n + 1) / 2);
  may_write<<<grid, block>>>(d_in.data(), d_may.data(), n);
  either_write<<<grid, block>>>(d_in.data(), d_either.data(), n);
  may_read<<<grid, block>>>(d_in.data(), d_more.data(), d_read.data(), n);
  may_loop<<<grid, block>>>(d_in.data(), d_loop.data(), n, 4);
  gather<<<grid, block>>>(d_in.data(), d_index.data(), d_gather.data(), n);
  scatter<<<grid, block>>>(d_order.data(), d_scatter.data(), n);
  quadratic<<<grid, block>>>(d_quadratic.data(), n);
  auto may = poisoned<int>(n), loop = poisoned<int>(4 * n),
       squares = poisoned<int>(n * (n + 1) / 2);
  vector<int> either(n), read(n), gathered(n), scattered(n);
  for (int i = 0; i < n; ++i) {
    if (in[i] > 0) may[i] = in[i];
    either[i] = in[i] > 0 ? 1 : -1;
    read[i] = in[i] > 0 ? in[i] : more[i];
    for (int k = 0; k < std::min(4, in[i]); ++k) loop[4 * i + k] = k;
    gathered[i] = in[index[i]];
    scattered[order[i]] = i;
    squares[i * (i + 1) / 2] = i;
  }
  equal("may_write", d_may.get(), may);
  equal("either_write", d_either.get(), either);
  equal("may_read", d_read.get(), read);
  equal("may_loop", d_loop.get(), loop);
  equal("gather", d_gather.get(), gathered);
  equal("scatter", d_scatter.get(), scattered);
  equal("quadratic", d_quadratic.get(), squares);

  vector<int> changed = {0}, first = {0, 7};
  Array<int> d_changed(changed), d_first(first);
  flag<<<grid, block>>>(d_in.data(), d_changed.data(), n);
  flag_argument<<<grid, block>>>(d_first.data(), n, 42);
  for (int v : in) changed[0] |= v > 3;
  equal("flag", d_changed.get(), changed);
  equal("flag_argument", d_first.get(), vector<int>{42, 7});
}

static void test_floyd(Random& random, int n, dim3 block) {
  auto d = random.integers<int>(n * n, 1, 1000);
  for (int i = 0; i < n; ++i) d[i * n + i] = 0;
  Array<int> d_d(d);
  for (int k = 0; k < n; ++k) {
    may_write_floyd<<<blocks(n, n, block), block>>>(d_d.data(), n, k);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        d[i * n + j] = std::min(d[i * n + j], d[i * n + k] + d[k * n + j]);
  }
  equal("may_write_floyd", d_d.get(), d);
}

static void test_sparse(Random& random, int n, unsigned block) {
  vector<int> start = {0}, column;
  for (int i = 0; i < n; ++i) {
    for (long k = random.integer(0, 5); k > 0; --k) column.push_back(random.integer(0, n - 1));
    start.push_back(column.size());
  }
  column.push_back(0);  // never empty
  const auto value = small<float>(random, column.size()), x = small<float>(random, n);
  vector<float> y(n);
  for (int i = 0; i < n; ++i)
    for (int k = start[i]; k < start[i + 1]; ++k) y[i] += value[k] * x[column[k]];
  Array<int> d_start(start), d_column(column);
  Array<float> d_value(value), d_x(x), d_y(n);
  sparse<<<blocks(n, block), block>>>(d_start.data(), d_column.data(), d_value.data(), d_x.data(),
                                      d_y.data(), n);
  equal("sparse", d_y.get(), y);
}

static void test_reductions(Random& random, int n, unsigned block) {
  const unsigned grid = blocks(n, block);
  const auto in = random.integers<int>(n, -100, 100);
  const auto floats = small<float>(random, n);
  const auto words = random.integers<unsigned>(n, 0, 0xFFFFFFFFll);
  const auto letters = random.integers<unsigned char>(n, 0, 255);
  Array<int> d_in(in), sum(vector<int>{5}), minus(vector<int>{5}), low(vector<int>{7}),
      high(vector<int>{7}), bins(vector<int>(256)), shared_bins(vector<int>(64));
  Array<unsigned> d_words(words), all(vector<unsigned>{~0u}), any(vector<unsigned>{0}),
      odd(vector<unsigned>{1}), up(vector<unsigned>{3}), down(vector<unsigned>{1000000});
  Array<float> d_floats(floats), sums(vector<float>(5, 0.5f));
  Array<unsigned char> d_letters(letters);
  reduce_add<<<grid, block>>>(d_in.data(), sum.data(), n);
  reduce_sub<<<grid, block>>>(d_in.data(), minus.data(), n);
  reduce_float<<<grid, block>>>(d_floats.data(), sums.data(), n);
  reduce_min_max<<<grid, block>>>(d_in.data(), low.data(), high.data(), n);
  Array<unsigned> least(vector<unsigned>{~0u}), most(vector<unsigned>{0});
  Array<double> doubles(vector<double>(5, 0.25));
  reduce_unsigned_and_float<<<grid, block>>>(d_words.data(), d_floats.data(), least.data(),
                                             most.data(), doubles.data(), n);
  Array<int> fields(vector<int>(2)), d_places(vector<int>(letters.begin(), letters.end()));
  reduce_two_fields<<<grid, block>>>(fields.data(), n);
  Array<int> ints_and_floats(vector<int>(512));
  reduce_two_types<<<grid, block>>>(d_places.data(), ints_and_floats.data(), n);
  Array<unsigned> narrow_and_wide(vector<unsigned>(768));
  reduce_two_widths<<<grid, block>>>(d_places.data(), narrow_and_wide.data(), n);
  reduce_bits<<<grid, block>>>(d_words.data(), all.data(), any.data(), odd.data(), n);
  reduce_inc<<<grid, block>>>(up.data(), down.data(), n);
  histogram<<<grid, block>>>(d_letters.data(), bins.data(), n);
  histogram_shared<<<3, block>>>(d_letters.data(), shared_bins.data(), n);
  int total = 0, smallest = 7, largest = 7;
  unsigned and_all = ~0u, or_all = 0, xor_all = 1;
  vector<float> want_sums(5, 0.5f);
  vector<double> want_doubles(5, 0.25);
  vector<int> want_types(512);
  vector<unsigned> want_widths(768);
  vector<int> want_bins(256), want_shared(64);
  for (int i = 0; i < n; ++i) {
    total += in[i];
    smallest = std::min(smallest, in[i]);
    largest = std::max(largest, in[i]);
    and_all &= words[i];
    or_all |= words[i];
    xor_all ^= words[i];
    want_sums[i % 5] += floats[i];
    ++want_bins[letters[i]];
    ++want_shared[letters[i] % 64];
    want_doubles[i % 5] += floats[i];
    want_widths[letters[i]] += 1;
    want_widths[256 + 2 * letters[i]] += 2;
  }
  for (int letter = 0; letter < 256; ++letter) {
    const float twice = 2.0f * want_bins[letter];
    want_types[letter] = want_bins[letter];
    std::memcpy(&want_types[256 + letter], &twice, sizeof twice);
  }
  equal("reduce_add", sum.get(), {5 + total});
  equal("reduce_sub", minus.get(), {5 - total});
  equal("reduce_float", sums.get(), want_sums);
  equal("reduce_min", low.get(), {smallest});
  equal("reduce_max", high.get(), {largest});
  equal("reduce_unsigned_min", least.get(), {*std::min_element(words.begin(), words.end())});
  equal("reduce_unsigned_max", most.get(), {*std::max_element(words.begin(), words.end())});
  equal("reduce_doubles", doubles.get(), want_doubles);
  const float twice_n = 2.0f * n;
  int twice_bits = 0;
  std::memcpy(&twice_bits, &twice_n, sizeof twice_n);
  equal("reduce_two_fields", fields.get(), {n, twice_bits});
  equal("reduce_two_types", ints_and_floats.get(), want_types);
  equal("reduce_two_widths", narrow_and_wide.get(), want_widths);
  equal("reduce_and", all.get(), {and_all});
  equal("reduce_or", any.get(), {or_all});
  equal("reduce_xor", odd.get(), {xor_all});
  equal("reduce_inc", up.get(), {3u + n});
  equal("reduce_dec", down.get(), {1000000u - n});
  equal("histogram", bins.get(), want_bins);
  equal("histogram_shared", shared_bins.get(), want_shared);
}

static void test_atomics(Random& random, int n, unsigned block) {
  const unsigned grid = blocks(n, block);
  const auto in = random.integers<int>(n, -9, 9);
  const auto floats = random.reals<float>(n, 0, 1);
  const auto slots = random.integers<int>(n, 100, 200);
  Array<int> d_in(in), packed(n), count(vector<int>{0}), d_slots(slots), old(n);
  Array<float> d_floats(floats), largest(vector<float>{0});
  compact<<<grid, block>>>(d_in.data(), packed.data(), count.data(), n);
  atomic_exchange<<<grid, block>>>(d_slots.data(), old.data(), n);
  atomic_cas<<<grid, block>>>(d_floats.data(), largest.data(), n);
  vector<int> positive, ascending(n);
  for (int i = 0; i < n; ++i) {
    if (in[i] > 0) positive.push_back(in[i]);
    ascending[i] = i;
  }
  const int found = count.get()[0];
  CHECK_EQ(found, int(positive.size()));
  auto got = packed.get();
  CHECK(std::all_of(got.begin() + found, got.end(), [](int v) { return v == poison<int>(); }));
  got.resize(found);
  std::sort(got.begin(), got.end());
  std::sort(positive.begin(), positive.end());
  equal("compact", got, positive);
  equal("atomic_exchange slots", d_slots.get(), ascending);
  equal("atomic_exchange old", old.get(), slots);
  equal("atomic_cas", largest.get(), {*std::max_element(floats.begin(), floats.end())});
}

int main() {
  Random random(12);
  for (int n : {101, 1, 64}) {
    test_data(random, n, 16);
    test_sparse(random, n, 16);
    test_reductions(random, n, 16);
    test_atomics(random, n, 16);
  }
  test_floyd(random, 23, dim3(8, 4));
  return check::finish();
}
