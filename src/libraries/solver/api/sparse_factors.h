// What the low-level sparse functions keep between their steps.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/solver/api/sparse_matrix.h"

#include <cusolverSp_LOWLEVEL_PREVIEW.h>

#include <any>

namespace gridspan::libraries::solver {

/// By step: the pattern; its numbers, a Shifted<T>; the factors, a BandFactors<T>, or a
/// SparseLu<T>.
struct SparseFactors {
  bool is_analysed = false;
  Pattern pattern;
  std::any numbers, factors;
};

/// A - shift I
template <typename T>
struct Shifted {
  std::vector<T> values;
  T shift;
};

}  // namespace gridspan::libraries::solver

struct csrqrInfo : gridspan::libraries::solver::SparseFactors {};
struct csrqrInfoHost : gridspan::libraries::solver::SparseFactors {};
struct csrcholInfo : gridspan::libraries::solver::SparseFactors {};
struct csrcholInfoHost : gridspan::libraries::solver::SparseFactors {};
struct csrluInfoHost : gridspan::libraries::solver::SparseFactors {
  std::vector<int> order;  // of columns
  int lower_count = -1, upper_count = -1;
};
