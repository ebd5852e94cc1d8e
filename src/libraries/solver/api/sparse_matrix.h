// Sparse matrices on the host: patterns, orderings, systems with band factors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/solver/kernels/arithmetic.h"

#include <cstdint>
#include <vector>

namespace gridspan::libraries::solver {

/// Compressed rows, from 0. Columns of a row need no order.
struct Pattern {
  int rows = 0;
  std::vector<int> offsets, columns;
};

/// False if the numbers are not those of a square matrix of `rows`. `ends` are those of the rows.
bool read_pattern(int rows, int count, int base, const int* starts, const int* ends,
                  const int* columns, Pattern& pattern);

bool has_symmetric_pattern(const Pattern& pattern);

/// order[i]: the row that becomes the i-th, so that elements are near the diagonal. Of A + A^T;
/// parts that are not connected one after the other. (E. Cuthill, J. McKee, 1969; A. George, 1971,
/// reversed)
std::vector<int> order_to_band(const Pattern& pattern);

enum class Method { lu, cholesky };

/// X of A X = B by band factors of A in its band order. `first_singular`: the column of A, from 0,
/// whose diagonal element of the factor is not larger than `tolerance`, else -1. Cholesky's method
/// reads the lower triangle, and names the first row that is not positive.
template <typename T>
void solve_band(const Pattern& pattern, Method method, const T* values, const T* b,
                Real<T> tolerance, T* x, int& first_singular);

}  // namespace gridspan::libraries::solver
