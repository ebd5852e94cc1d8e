// Sparse factors L and U on the host, column by column, with pivots.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/solver/api/compressed.h"
#include "libraries/solver/api/sparse_matrix.h"

#include <vector>

namespace gridspan::libraries::solver {

/// P A Q^T = L U: element (i, j) of the product is A's at row P[i], column Q[j]. L has a unit
/// diagonal that is not stored. What values may cancel is stored, so that the patterns of L and U
/// do for any matrix of A's pattern. Memory of its elements, time of its products
/// (J. R. Gilbert, T. Peierls, 1988).
template <typename T>
class SparseLu {
 public:
  SparseLu() = default;
  /// `order` is Q. A diagonal element of A(Q, Q) is the pivot if it is at least `threshold`, from 0
  /// to 1, times as large as the largest one, else that is. Throws bad_alloc if there are more
  /// elements than int counts.
  SparseLu(const Pattern& a, const std::vector<int>& order, const T* values, Real<T> threshold);

  /// The first k whose diagonal element of U is not larger than `tolerance`, or -1.
  int first_singular(Real<T> tolerance) const;
  void solve(const T* b, T* x) const;

  int size() const { return static_cast<int>(order_.size()); }
  const std::vector<int>& row_order() const { return pivots_; }
  const std::vector<int>& column_order() const { return order_; }
  const Compressed<T>& lower() const { return lower_; }  // columns
  const Compressed<T>& upper() const { return upper_; }  // columns, the diagonal last

 private:
  std::vector<int> pivots_, order_;
  Compressed<T> lower_, upper_;
};

}  // namespace gridspan::libraries::solver
