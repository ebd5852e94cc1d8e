// Sweeps of QL or QR steps that go on from launch to launch (spectra_kernels.h).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/solver/kernels/factors.h"

#include <algorithm>

namespace gridspan::libraries::solver::detail {

/// Of a search for values that goes on in the next launch.
struct Sweeping {
  int at;         // the value that is sought
  int sweeps;     // that it took so far
  int rotations;  // that this launch wrote down
  int most_sweeps;
  int all_sweeps;
  int failed;
};

// LAPACK's limit.
constexpr Size most_sweeps = 30;
inline Size rotations_at_once(Size n) { return std::max<Size>(64 * n, 4096); }
/// Launches that `rotations` of each sweep fit into.
inline Size launches_for(Size n, Size rotations) {
  return most_sweeps * n * rotations / (rotations_at_once(n) - rotations) + 1;
}

/// Between columns of `rows` elements: an odd number of cache lines, so that a row is not in the
/// few places of a cache that a power of two leaves it.
constexpr Size spaced(Size rows) { return ((rows + 7) / 8 | 1) * 8; }

/// Numbers become those of the matrix over the largest, which is returned: tolerances are parts
/// of 1.
template <typename R>
__device__ inline R make_unit(long long n, R* d, R* e) {
  R largest = 0;
  for (long long i = 0; i < n; ++i) {
    const R size = absolute(d[i]) + absolute(e[i]);
    largest = size <= largest ? largest : size;
  }
  for (long long i = 0; largest > 0 && i < n; ++i) {
    d[i] /= largest;
    e[i] /= largest;
  }
  return largest;
}

}  // namespace gridspan::libraries::solver::detail
