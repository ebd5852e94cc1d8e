// What the programs of tests/model share: random sizes and launches, over the helpers of tests/run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The programs are small on purpose: `gridspan explain` reads them (golden models, expected.txt),
// and the oracle (GRIDSPAN_VERIFY=1) runs them with every address recorded.
#pragma once

#include "../run/check.h"

#include <algorithm>
#include <cstring>

namespace model {

using check::Array;
using check::equal;
using check::near;
using check::Random;
using std::size_t;
using std::vector;

/// Blocks that cover n threads with blocks of b.
inline unsigned blocks(long n, unsigned b) {
  return static_cast<unsigned>(std::max<long>((n + b - 1) / b, 1));
}
inline dim3 blocks(long nx, long ny, dim3 b) { return dim3(blocks(nx, b.x), blocks(ny, b.y)); }
inline dim3 blocks(long nx, long ny, long nz, dim3 b) {
  return dim3(blocks(nx, b.x), blocks(ny, b.y), blocks(nz, b.z));
}

/// Values that floats add and multiply exactly, so that results can be compared bit by bit.
template <class T>
vector<T> small(Random& random, size_t n, int low = -4, int high = 4) {
  return random.integers<T>(n, low, high);
}

/// What a fresh check::Array holds where no kernel wrote.
template <class T>
T poison() {
  T value;
  std::memset(&value, 0xA5, sizeof value);
  return value;
}
template <class T>
vector<T> poisoned(size_t n) {
  return vector<T>(n, poison<T>());
}

}  // namespace model
