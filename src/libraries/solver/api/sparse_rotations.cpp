// Rotations of sparse rows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/solver/api/sparse_rotations.h"

#include <cmath>

namespace gridspan::libraries::solver {
namespace {

template <typename T>
using SparseRow = std::vector<std::pair<int, T>>;

/// (upper, lower) = (c upper + s lower, c lower - conj(s) upper), over the columns of both. What
/// becomes 0 by the rotation is the lower one's first column, which is left out.
template <typename T>
void rotate_rows(Real<T> c, T s, SparseRow<T>& upper, SparseRow<T>& lower) {
  SparseRow<T> new_upper, new_lower;
  const int first = upper.front().first;
  auto a = upper.begin(), b = lower.begin();
  while (a != upper.end() || b != lower.end()) {
    const bool takes_a = a != upper.end() && (b == lower.end() || a->first <= b->first);
    const bool takes_b = b != lower.end() && (a == upper.end() || b->first <= a->first);
    const int column = takes_a ? a->first : b->first;
    const T x = takes_a ? (a++)->second : number<T>(0);
    const T y = takes_b ? (b++)->second : number<T>(0);
    new_upper.emplace_back(column, c * x + s * y);
    if (column != first) new_lower.emplace_back(column, c * y - conj(s) * x);
  }
  upper = std::move(new_upper);
  lower = std::move(new_lower);
}

template <typename T>
Real<T> length(T x) {
  return std::hypot(real(x), imaginary(x));
}

}  // namespace

template <typename T>
void RowRotations<T>::add(Row row, T right) {
  while (!row.empty()) {
    const auto column = static_cast<std::size_t>(row.front().first);
    if (is_zero(row.front().second)) {
      row.erase(row.begin());
      continue;
    }
    Row& own = rows_[column];
    if (own.empty()) {
      own = std::move(row);
      right_[column] = right;
      return;
    }
    const T x = own.front().second, y = row.front().second;
    const Real<T> all = std::hypot(length(x), length(y));
    // c is real: x keeps its phase.
    const T phase = is_zero(x) ? number<T>(1) : x / length(x);
    const Real<T> c = length(x) / all;
    const T s = phase * conj(y) / all;
    rotate_rows(c, s, own, row);
    const T upper = right_[column];
    right_[column] = c * upper + s * right;
    right = c * right - conj(s) * upper;
  }
  rest_ += square_of(right);
}

template <typename T>
int RowRotations<T>::drop(Real<T> tolerance) {
  int dropped = 0;
  for (std::size_t column = 0; column < rows_.size(); ++column) {
    Row& own = rows_[column];
    if (!own.empty() && length(own.front().second) > tolerance) continue;
    ++dropped;
    if (own.empty()) continue;
    Row row(own.begin() + 1, own.end());
    own.clear();
    add(std::move(row), right_[column]);
  }
  return dropped;
}

template <typename T>
std::vector<T> RowRotations<T>::solve() const {
  std::vector<T> x(rows_.size(), number<T>(0));
  for (std::size_t column = rows_.size(); column-- > 0;) {
    const Row& own = rows_[column];
    if (own.empty()) continue;
    T sum = right_[column];
    for (std::size_t k = 1; k < own.size(); ++k)
      sum = sum - own[k].second * x[static_cast<std::size_t>(own[k].first)];
    x[column] = sum / own.front().second;
  }
  return x;
}

template class RowRotations<float>;
template class RowRotations<double>;
template class RowRotations<Complex<float>>;
template class RowRotations<Complex<double>>;

}  // namespace gridspan::libraries::solver
