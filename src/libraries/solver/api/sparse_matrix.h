// Sparse matrices on the host: patterns, orderings, systems with band factors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/solver/kernels/arithmetic.h"

#include <cstddef>
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

/// The same for factors with few elements: the row of the fewest neighbours is next, those that
/// elimination makes included (P. R. Amestoy, T. A. Davis, I. S. Duff, 1996).
std::vector<int> order_to_few(const Pattern& pattern);

/// Of the factor L of A + A^T, and the diagonal, in that order. Counts on to `most` at the most.
std::int64_t elements_of_factor(const Pattern& pattern, const std::vector<int>& order,
                                std::int64_t most);

/// The one of the order that A has, the band order and the order to few that has the fewest.
std::vector<int> order_for_factors(const Pattern& pattern);

/// Neighbours in A + A^T, without the row itself, each once, in order.
std::vector<std::vector<int>> neighbours_of(const Pattern& pattern);

enum class Method { lu, cholesky };

/// A band of `below` elements under the diagonal and `above` ones over it, by rows.
template <typename T>
class Band {
 public:
  Band() = default;
  Band(int rows, int below, int above)
      : below_(below),
        width_(below + above + 1),
        values_(static_cast<std::size_t>(rows) * static_cast<std::size_t>(width_)) {}
  T& operator()(int i, int j) { return values_[place(i, j)]; }
  const T& operator()(int i, int j) const { return values_[place(i, j)]; }

 private:
  std::size_t place(int i, int j) const {
    return static_cast<std::size_t>(i) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(j - i + below_);
  }

  int below_ = 0, width_ = 1;
  std::vector<T> values_;
};

/// Factors of A - shift I in its band order: by LU with pivots, or Cholesky's, which reads the
/// lower triangle. O(rows band²), and memory of rows band.
template <typename T>
class BandFactors {
 public:
  BandFactors() = default;
  BandFactors(const Pattern& pattern, Method method, const T* values, T shift);

  /// The column of A, from 0, whose diagonal element of the factor is not larger than `tolerance`,
  /// the first in the band order, else -1. Of Cholesky's, the first row that is not positive.
  int first_singular(Real<T> tolerance) const;
  /// Not if Cholesky's method found a row that is not positive.
  bool is_complete() const { return failed_ < 0; }
  void solve(const T* b, T* x) const;
  /// Of the factor L of Cholesky's method, in the order of A.
  void diagonal(Real<T>* values) const;

 private:
  int rows_ = 0, below_ = 0, reach_ = 0;
  bool is_cholesky_ = false;
  int failed_ = -1;  // Cholesky's stopped there
  std::vector<int> order_, exchanges_;
  Band<T> a_;
};

}  // namespace gridspan::libraries::solver
