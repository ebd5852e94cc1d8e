// Blocks that work more than others: parts are cut by work, and what they write stays whole.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

using namespace devices;

__global__ void sums_from_own_on(const int* in, int* out, int n) {
  const int i = global_x();
  if (i >= n) return;
  int sum = 0;
  for (int j = i; j < n; ++j) sum += in[j];
  out[i] = sum;
}

/// Row i of the upper triangle, as matrix products of columns are kept.
__global__ void upper_products(const int* in, int* out, int rows, int n) {
  const int i = global_x();
  if (i >= n) return;
  for (int j = i; j < n; ++j) {
    int sum = 0;
    for (int k = 0; k < rows; ++k) sum += in[k * n + i] * in[k * n + j];
    out[i * n + j] = sum;
  }
}

/// The lower triangle, in place.
__global__ void add_along_lower_rows(int* a, int n) {
  const int i = global_x();
  if (i >= n) return;
  for (int j = 1; j <= i; ++j) a[i * n + j] += a[i * n + j - 1];
}

void run(Random& random, int n) {
  const int rows = 13;
  vector<int> in = random.integers<int>(size_t(rows) * n, -9, 9), sums(n);
  vector<int> products = poisoned<int>(size_t(n) * n);
  for (int i = n; i-- > 0;) sums[i] = in[i] + (i + 1 < n ? sums[i + 1] : 0);
  for (int i = 0; i < n; ++i)
    for (int j = i; j < n; ++j) {
      int sum = 0;
      for (int k = 0; k < rows; ++k) sum += in[k * n + i] * in[k * n + j];
      products[size_t(i) * n + j] = sum;
    }
  Array<int> a(in), b(n), c(size_t(n) * n);
  for (int turn = 0; turn < 3; ++turn) {
    sums_from_own_on<<<blocks(n, 8), 8>>>(a.data(), b.data(), n);
    upper_products<<<blocks(n, 8), 8>>>(a.data(), c.data(), rows, n);
  }
  result("sums", b, sums);
  result("upper triangle", c, products);
  vector<int> lower = random.integers<int>(size_t(n) * n, -9, 9);
  Array<int> d(lower);
  for (int turn = 0; turn < 3; ++turn) {
    add_along_lower_rows<<<blocks(n, 8), 8>>>(d.data(), n);
    for (int i = 0; i < n; ++i)
      for (int j = 1; j <= i; ++j) lower[size_t(i) * n + j] += lower[size_t(i) * n + j - 1];
  }
  result("lower triangle", d, lower);
}

int main() {
  Random random(3);
  for (const int n : {1, 9, 63, 64, 101, 333}) run(random, n);
  return finish();
}
