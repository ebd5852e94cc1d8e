// Least squares with sparse matrices on the host: rotations of rows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/solver/kernels/arithmetic.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace gridspan::libraries::solver {

/// R of A = Q R, and Q^H b, of rows that come one after the other: each is rotated with those of R
/// until nothing of it is left (A. George, M. T. Heath, 1980).
template <typename T>
class RowRotations {
 public:
  /// A column, and its value; columns ascend.
  using Row = std::vector<std::pair<int, T>>;

  explicit RowRotations(int columns)
      : rows_(static_cast<std::size_t>(columns)), right_(rows_.size(), number<T>(0)) {}

  void add(Row row, T right);
  /// Columns whose diagonal element of R is not larger than `tolerance` lose their place: they
  /// depend on those before. Their number.
  int drop(Real<T> tolerance);
  /// R x = Q^H b; 0 where a column has no place.
  std::vector<T> solve() const;
  bool has_place(int column) const { return !rows_[static_cast<std::size_t>(column)].empty(); }
  /// |A x - b| squared, of the solution.
  Real<T> rest() const { return rest_; }

 private:
  std::vector<Row> rows_;  // of R, by their first columns; empty: none
  std::vector<T> right_;   // of each
  Real<T> rest_ = 0;
};

}  // namespace gridspan::libraries::solver
