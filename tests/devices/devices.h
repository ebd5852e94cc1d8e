// What the programs of tests/devices share: results that are compared with a reference and, bit by
// bit, with those of one device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// devices_test.py runs each program on one device and on several and compares the digests.
#pragma once

#include "../run/check.h"

#include <algorithm>
#include <numeric>

namespace devices {

using check::Array;
using check::Random;
using std::size_t;
using std::vector;

inline std::uint64_t digest = 0xcbf29ce484222325ull;  // FNV-1a

/// Adds bytes to what must not depend on the devices.
inline void add_bytes(const void* bytes, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    digest = (digest ^ static_cast<const unsigned char*>(bytes)[i]) * 0x100000001b3ull;
  }
}

/// A result: equal to the reference, and part of the digest.
template <class T>
void result(const std::string& what, const vector<T>& got, const vector<T>& want) {
  check::equal(what, got, want);
  add_bytes(got.data(), got.size() * sizeof(T));
}
template <class T>
void result(const std::string& what, Array<T>& got, const vector<T>& want) {
  result(what, got.get(), want);
}

/// Last statement of main.
inline int finish() {
  std::printf("digest %016llx\n", static_cast<unsigned long long>(digest));
  return check::finish();
}

inline unsigned blocks(long n, unsigned b) {
  return static_cast<unsigned>(std::max<long>((n + b - 1) / b, 1));
}
inline dim3 blocks(long nx, long ny, dim3 b) { return dim3(blocks(nx, b.x), blocks(ny, b.y)); }

/// What a fresh Array holds where nothing was written.
template <class T>
vector<T> poisoned(size_t n) {
  vector<T> values(n);
  std::memset(static_cast<void*>(values.data()), 0xA5, n * sizeof(T));
  return values;
}

/// Sizes that leave devices without work, or with unequal work.
inline vector<int> odd_sizes() { return {1, 2, 3, 5, 7, 31, 64, 97, 257, 1009, 4099}; }

/// A random order of 0 .. n-1.
inline vector<int> permutation(Random& random, int n) {
  vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  for (int i = n - 1; i > 0; --i) std::swap(order[i], order[random.integer(0, i)]);
  return order;
}

__device__ inline int global_x() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ inline int global_y() { return blockIdx.y * blockDim.y + threadIdx.y; }

}  // namespace devices
