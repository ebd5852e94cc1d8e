// Values that are not known but have bounds: carried around loops, guarded, masked, of small types.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model.h"

using namespace model;

// Carried around a loop.

__global__ void halve(const int* in, int* out, int n, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
  for (int s = m; s > 0; s /= 2) sum += in[s];
  out[i] = sum;
}

__global__ void halve_unsigned(const int* in, int* out, int n, unsigned m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
  for (unsigned s = m / 2; s > 0; s >>= 1) sum += in[s];
  out[i] = sum;
}

__global__ void doubled(const int* in, int* out, int n, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
  for (int s = 1; s < m; s *= 2) sum += in[s];
  out[i] = sum;
}

__global__ void steps_vary(const int* in, int* out, int n, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = 0, at = 0;
  while (at < m) {
    sum += in[at];
    at += in[at] > 0 ? 2 : 1;
  }
  out[i] = sum;
}

__global__ void value_before(const int* in, int* out, int n, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
  for (int k = 1, before = 0; k < m; before = k++) sum += in[before] * in[k];
  out[i] = sum;
}

// Around a polygon.
__global__ void corner_before(const int* in, int* out, int n, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
  for (int k = 0, before = m - 1; k < m; before = k++) sum += in[before] - 2 * in[k];
  out[i] = sum;
}

// A negative start, a step that overflows the array: nothing may be claimed that is not so.
__global__ void halve_negative(const int* in, int* out, int n, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
  for (int s = m; s != 0; s /= 2) sum += in[s + 64];
  out[i] = sum;
}

// Data.

__global__ void unsigned_key(const unsigned* keys, int* out, unsigned m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && keys[i] < m) out[keys[i]] = 1;
}

__global__ void within(const int* keys, const int* table, int* out, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int key = keys[i];
  out[i] = static_cast<unsigned>(key) < static_cast<unsigned>(m) ? table[key] : 0;
}

__global__ void byte_table(const unsigned char* keys, const int* table, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = table[keys[i] * 2 + 1];
}

__global__ void digit(const unsigned* keys, const int* table, int* out, int shift, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = table[(keys[i] >> shift) & 15] + table[keys[i] >> 28];
}

__global__ void masked(const int* keys, const int* table, int* out, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = table[keys[i] & (m - 1)];
}

static void test_carried(Random& random, int n, int m, unsigned block) {
  const unsigned grid = blocks(n, block);
  const auto in = small<int>(random, 200);
  Array<int> d_in(in);
  auto expect = [&](const char* name, auto&& launch, auto&& sum) {
    Array<int> out(poisoned<int>(n));
    launch(out.data());
    equal(name, out.get(), vector<int>(n, sum()));
  };
  expect(
      "halve", [&](int* out) { halve<<<grid, block>>>(d_in.data(), out, n, m); },
      [&] {
        int sum = 0;
        for (int s = m; s > 0; s /= 2) sum += in[s];
        return sum;
      });
  expect(
      "halve_unsigned", [&](int* out) { halve_unsigned<<<grid, block>>>(d_in.data(), out, n, m); },
      [&] {
        int sum = 0;
        for (int s = m / 2; s > 0; s /= 2) sum += in[s];
        return sum;
      });
  expect(
      "doubled", [&](int* out) { doubled<<<grid, block>>>(d_in.data(), out, n, m); },
      [&] {
        int sum = 0;
        for (int s = 1; s < m; s *= 2) sum += in[s];
        return sum;
      });
  expect(
      "steps_vary", [&](int* out) { steps_vary<<<grid, block>>>(d_in.data(), out, n, m); },
      [&] {
        int sum = 0;
        for (int at = 0; at < m; at += in[at] > 0 ? 2 : 1) sum += in[at];
        return sum;
      });
  expect(
      "value_before", [&](int* out) { value_before<<<grid, block>>>(d_in.data(), out, n, m); },
      [&] {
        int sum = 0;
        for (int k = 1; k < m; ++k) sum += in[k - 1] * in[k];
        return sum;
      });
  expect(
      "corner_before", [&](int* out) { corner_before<<<grid, block>>>(d_in.data(), out, n, m); },
      [&] {
        int sum = 0;
        for (int k = 0; k < m; ++k) sum += in[(k + m - 1) % m] - 2 * in[k];
        return sum;
      });
  for (int start : {-m, m})
    expect(
        "halve_negative",
        [&](int* out) { halve_negative<<<grid, block>>>(d_in.data(), out, n, start % 64); },
        [&] {
          int sum = 0;
          for (int s = start % 64; s != 0; s /= 2) sum += in[s + 64];
          return sum;
        });
}

static void test_data(Random& random, int n, int m, unsigned block) {
  const unsigned grid = blocks(n, block);
  auto keys = small<int>(random, n, -5, 2 * m);
  keys[0] = -1;
  const vector<unsigned> large(keys.begin(), keys.end());
  const auto bytes = random.integers<unsigned char>(n, 0, 255);
  const auto table = small<int>(random, 600);
  Array<int> d_keys(keys), d_table(table), marks(poisoned<int>(m));
  Array<unsigned> d_large(large);
  Array<unsigned char> d_bytes(bytes);
  unsigned_key<<<grid, block>>>(d_large.data(), marks.data(), m, n);
  auto marked = poisoned<int>(m);
  for (int key : keys)
    if (key >= 0 && key < m) marked[key] = 1;
  equal("unsigned_key", marks.get(), marked);
  auto expect = [&](const char* name, auto&& launch, auto&& value) {
    Array<int> out(poisoned<int>(n));
    launch(out.data());
    vector<int> want(n);
    for (int i = 0; i < n; ++i) want[i] = value(i);
    equal(name, out.get(), want);
  };
  expect(
      "within",
      [&](int* out) { within<<<grid, block>>>(d_keys.data(), d_table.data(), out, m, n); },
      [&](int i) { return keys[i] >= 0 && keys[i] < m ? table[keys[i]] : 0; });
  expect(
      "byte_table",
      [&](int* out) { byte_table<<<grid, block>>>(d_bytes.data(), d_table.data(), out, n); },
      [&](int i) { return table[bytes[i] * 2 + 1]; });
  expect(
      "digit", [&](int* out) { digit<<<grid, block>>>(d_large.data(), d_table.data(), out, 2, n); },
      [&](int i) { return table[(large[i] >> 2) & 15] + table[large[i] >> 28]; });
  for (int size : {1, 64})
    expect(
        "masked",
        [&](int* out) { masked<<<grid, block>>>(d_keys.data(), d_table.data(), out, size, n); },
        [&](int i) { return table[keys[i] & (size - 1)]; });
}

int main() {
  Random random(22);
  test_carried(random, 37, 100, 8);
  test_carried(random, 5, 1, 4);
  test_carried(random, 9, 64, 16);
  test_data(random, 83, 40, 16);
  test_data(random, 3, 7, 4);
  return check::finish();
}
