// Guards one behind the other: threads that have several elements each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Launches | bounds checks one behind the other, of neighbours and of elements a block apart, signed and unsigned, with values that live on
#include "check.h"

#include <algorithm>

constexpr int items = 4;

/// Running sums of each thread's four neighbours, which are used behind the guards.
__global__ void four(const int* in, int* out, int* sums, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x, first = t * items;
  int mine[items], sum = 0;
  for (int i = 0; i < items; ++i) mine[i] = sum += first + i < n ? in[first + i] : 1;
  sums[t] = sum;
  for (int i = 0; i < items; ++i)
    if (first + i < n) out[first + i] = mine[i] * 2;
}

/// Elements a block apart, updated; another bound for some.
__global__ void apart(float* x, unsigned n, unsigned most) {
  unsigned i = blockIdx.x * blockDim.x * 3 + threadIdx.x;
  if (i < n) x[i] += 1;
  i += blockDim.x;
  if (i < n) x[i] += 2;
  i += blockDim.x;
  if (i < most) x[i] += 3;
}

/// Two guards in between of which another element of the same array is read.
__global__ void shift(int* x, const int* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int last = -1;
  if (i < n) x[i] = y[i];
  if (i >= 2) last = y[i - 2];
  if (i + 1 < n) last += y[i + 1];
  if (i < n) x[i] += last;
}

static void test_four(check::Random& random, int n, int blocks) {
  const auto in = random.integers<int>(n, -99, 99);
  const int threads = blocks * 96;
  std::vector<int> out(n, -7), sums(threads);
  for (int t = 0; t < threads; ++t) {
    int sum = 0;
    for (int i = t * items; i < (t + 1) * items; ++i) {
      sum += i < n ? in[i] : 1;
      if (i < n) out[i] = sum * 2;
    }
    sums[t] = sum;
  }
  check::Array<int> di(in), dout(std::vector<int>(n, -7)), ds(threads);
  four<<<blocks, 96>>>(di.data(), dout.data(), ds.data(), n);
  check::equal("four: out", dout.get(), out);
  check::equal("four: sums", ds.get(), sums);
}

static void test_apart(check::Random& random, unsigned n, unsigned most) {
  const auto x = random.reals<float>(n, 0, 100);
  std::vector<float> want(x);
  const unsigned blocks = (n + 191) / 192;
  for (unsigned b = 0; b < blocks; ++b)
    for (unsigned part = 0; part < 3; ++part)
      for (unsigned t = 0; t < 64; ++t) {
        const unsigned i = b * 192 + part * 64 + t;
        if (i < (part == 2 ? most : n)) want[i] += part + 1;
      }
  check::Array<float> dx(x);
  apart<<<blocks, 64>>>(dx.data(), n, most);
  check::equal("apart", dx.get(), want);
}

static void test_shift(check::Random& random, int n) {
  const auto y = random.integers<int>(n + 64, -99, 99);
  std::vector<int> want(n);
  for (int i = 0; i < n; ++i)
    want[i] = y[i] + (i >= 2 ? y[i - 2] : -1) + (i + 1 < n ? y[i + 1] : 0);
  check::Array<int> dx(n), dy(y);
  shift<<<(n + 63) / 64, 64>>>(dx.data(), dy.data(), n);
  check::equal("shift", dx.get(), want);
}

int main() {
  check::Random random(5);
  for (const int blocks : {1, 7})
    for (const int n : {1, 2, 63, 64, 380, 381, 382, 383})
      test_four(random, std::min(n + (blocks - 1) * 384, blocks * 384), blocks);
  test_four(random, 384, 1);
  for (const unsigned n : {1u, 63u, 64u, 65u, 192u, 1000u, 5000u}) {
    test_apart(random, n, n);
    test_apart(random, n, n / 2);
  }
  for (const int n : {1, 2, 3, 16, 17, 64, 1000, 4099}) test_shift(random, n);
  return check::finish();
}
