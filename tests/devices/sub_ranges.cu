// Interior pointers, sub-ranges of one allocation as several arguments, one buffer in two
// arguments. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

using namespace devices;

__global__ void combine(const int* a, const int* b, int* out, int n) {
  const int i = global_x();
  if (i < n) out[i] = a[i] * 3 - b[i];
}

// Reads both arguments with a shift; they may be overlapping ranges.
__global__ void blur(const int* a, const int* b, int* out, int n) {
  const int i = global_x();
  if (i > 0 && i < n - 1) out[i] = a[i - 1] + b[i + 1];
}

// Backwards from a pointer to the last element.
__global__ void backwards(const int* last, int* out, int n) {
  const int i = global_x();
  if (i < n) out[i] = last[-i];
}

// Writes through two pointers: halves that may meet in the middle of a block.
__global__ void two_writes(int* low, int* high, int n) {
  const int i = global_x();
  if (i >= n) return;
  low[i] = i;
  high[i] = -i;
}

__global__ void swap_halves(int* a, int* b, int n) {
  const int i = global_x();
  if (i >= n) return;
  const int kept = a[i];
  a[i] = b[n - 1 - i];
  b[n - 1 - i] = kept;
}

int main() {
  Random random(14);
  for (const int n : {5, 97, 1009, 3001}) {
    const vector<int> start = random.integers<int>(3 * n, -1000, 1000);
    vector<int> host = start;
    Array<int> all(host);
    int* const p = all.data();
    const auto grid = blocks(n, 32);

    combine<<<grid, 32>>>(p, p + n, p + 2 * n, n);
    for (int i = 0; i < n; ++i) host[2 * n + i] = host[i] * 3 - host[n + i];
    result("three thirds", all, host);

    combine<<<grid, 32>>>(p + 1, p + 1, p + n + 1, n);  // the same range twice
    for (int i = 0; i < n; ++i) host[n + 1 + i] = 2 * host[1 + i];
    result("one range twice", all, host);

    blur<<<grid, 32>>>(p, p + n / 2, p + 2 * n, n);  // ranges overlap
    for (int i = 1; i < n - 1; ++i) host[2 * n + i] = host[i - 1] + host[n / 2 + i + 1];
    result("overlapping reads", all, host);

    combine<<<grid, 32>>>(p, p + 2 * n, p, n);  // in place through two arguments
    for (int i = 0; i < n; ++i) host[i] = host[i] * 3 - host[2 * n + i];
    result("in place", all, host);

    backwards<<<grid, 32>>>(p + n - 1, p + n, n);
    for (int i = 0; i < n; ++i) host[n + i] = host[n - 1 - i];
    result("backwards", all, host);

    two_writes<<<grid, 32>>>(p + 3, p + n + 3, n);
    for (int i = 0; i < n; ++i) host[3 + i] = i, host[n + 3 + i] = -i;
    result("two writes", all, host);

    swap_halves<<<grid, 32>>>(p, p + 2 * n, n);
    for (int i = 0; i < n; ++i) std::swap(host[i], host[2 * n + n - 1 - i]);
    result("swapped", all, host);
  }
  return finish();
}
