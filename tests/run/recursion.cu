// Recursive device functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Functions and classes | recursion: simple, double, mutual, with local arrays, deep
#include "check.h"

__device__ __noinline__ unsigned fibonacci(unsigned n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__device__ unsigned odd(unsigned n);
__device__ unsigned even(unsigned n) { return n == 0 ? 1u : odd(n - 1); }
__device__ unsigned odd(unsigned n) { return n == 0 ? 0u : even(n - 1); }

__device__ unsigned ackermann(unsigned m, unsigned n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

// Each frame has an array of its own whose address goes down.
__device__ int sum_path(const int* parent, int depth, int index) {
  int mine[4];
  for (int i = 0; i < 4; ++i) mine[i] = parent[i] * 2 + index;
  mine[index % 4] += depth;
  if (depth == 0) return mine[0] + mine[1] + mine[2] + mine[3];
  return sum_path(mine, depth - 1, index + 1) + mine[index % 4] % 13;
}

__device__ int deep(int n) { return n == 0 ? 0 : 1 + deep(n - 1) * 1; }

// Quicksort per thread on its own slice.
__device__ void quicksort(int* a, int low, int high) {
  if (low >= high) return;
  const int pivot = a[(low + high) / 2];
  int i = low, j = high;
  while (i <= j) {
    while (a[i] < pivot) ++i;
    while (a[j] > pivot) --j;
    if (i > j) break;
    const int x = a[i];
    a[i++] = a[j];
    a[j--] = x;
  }
  quicksort(a, low, j);
  quicksort(a, i, high);
}

__global__ void recursive(unsigned* out) {
  const unsigned t = check::global_index();
  const int start[4] = {int(t), 1, 2, 3};
  unsigned* o = out + t * 5;
  o[0] = fibonacci(t % 12);
  o[1] = even(t % 50);
  o[2] = ackermann(2, t % 4);
  o[3] = static_cast<unsigned>(sum_path(start, static_cast<int>(t % 6), 1));
  o[4] = static_cast<unsigned>(deep(200));
}

__global__ void sort_slices(int* data, int length) {
  quicksort(data + check::global_index() * length, 0, length - 1);
}

int host_path(const int* parent, int depth, int index) {
  int mine[4];
  for (int i = 0; i < 4; ++i) mine[i] = parent[i] * 2 + index;
  mine[index % 4] += depth;
  if (depth == 0) return mine[0] + mine[1] + mine[2] + mine[3];
  return host_path(mine, depth - 1, index + 1) + mine[index % 4] % 13;
}

int main() {
  for (dim3 block : {dim3(1), dim3(33), dim3(7, 5)}) {
    const unsigned n = check::volume(block) * 3;
    check::Array<unsigned> out(n * 5);
    recursive<<<3, block>>>(out.data());
    std::vector<unsigned> want(n * 5);
    for (unsigned t = 0; t < n; ++t) {
      unsigned a = 0, b = 1;
      for (unsigned i = 0; i < t % 12; ++i) {
        const unsigned c = a + b;
        a = b;
        b = c;
      }
      const int start[4] = {int(t), 1, 2, 3};
      want[t * 5 + 0] = a;
      want[t * 5 + 1] = t % 50 % 2 == 0;
      want[t * 5 + 2] = 2 * (t % 4) + 3;
      want[t * 5 + 3] = static_cast<unsigned>(host_path(start, static_cast<int>(t % 6), 1));
      want[t * 5 + 4] = 200;
    }
    check::equal(check::name("recursive", block), out.get(), want);

    const int length = 61;
    check::Random random(n);
    auto data = random.integers<int>(n * length, -500, 500);
    check::Array<int> device(data);
    sort_slices<<<3, block>>>(device.data(), length);
    for (unsigned t = 0; t < n; ++t)  // insertion sort as reference
      for (int i = 1; i < length; ++i)
        for (int j = i; j > 0 && data[t * length + j - 1] > data[t * length + j]; --j)
          std::swap(data[t * length + j - 1], data[t * length + j]);
    check::equal(check::name("sort_slices", block), device.get(), data);
  }
  return check::finish();
}
