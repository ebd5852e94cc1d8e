// Where new factors of matrices of one pattern are, and in which order their rows are made.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/solver/api/compressed.h"
#include "libraries/solver/kernels/refactor.h"

#include <vector>

namespace gridspan::libraries::solver {

/// P A Q^T = L U, by rows. Values of A are where its elements are in the program's arrays.
struct GivenFactors {
  Compressed<int> a, lower, upper;
  std::vector<int> p, q;
};

/// L and U in one matrix, M: its pattern is theirs, with a diagonal, columns in order.
struct Bundle {
  Compressed<int> rows;  // values: where M's element (i, j) begins from, A's (P[i], Q[j]), or -1
  std::vector<int> diagonals;
};

/// The argument of the documentation that is wrong, or null: P and Q are permutations, L and U are
/// triangles, and they have all elements of A, each of which is there once.
const char* bundle(const GivenFactors& given, Bundle& result);

/// Rows by levels: each after those that it depends on. Levels of few rows are joined.
struct Schedule {
  std::vector<int> order;
  std::vector<RowRun> runs;
};

/// Row i depends on the rows that its elements before the diagonal name, or after it.
Schedule schedule_down(const Bundle& bundle);
Schedule schedule_up(const Bundle& bundle);

}  // namespace gridspan::libraries::solver
