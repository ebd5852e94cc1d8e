// Sparse factors L and U: each column is what the columns before leave of A's.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/solver/api/sparse_lu.h"

#include <cmath>

namespace gridspan::libraries::solver {
namespace {

/// Where elements of a matrix are by columns: rows, and places among the values of the rows.
struct ByColumns {
  explicit ByColumns(const Pattern& a)
      : offsets(a.rows + 1), rows(a.columns.size()), places(a.columns.size()) {
    for (const int column : a.columns) ++offsets[column + 1];
    for (int i = 0; i < a.rows; ++i) offsets[i + 1] += offsets[i];
    std::vector<int> next(offsets.begin(), offsets.end() - 1);
    for (int i = 0; i < a.rows; ++i)
      for (int k = a.offsets[i]; k < a.offsets[i + 1]; ++k) {
        const int to = next[a.columns[k]]++;
        rows[to] = i;
        places[to] = k;
      }
  }
  std::vector<int> offsets, rows, places;
};

/// Rows that a column has once those before are subtracted: those that are reached from A's along
/// columns of L. `position` has the column of L that a row is the pivot of, or -1.
class Reach {
 public:
  Reach(int size, const std::vector<int>& position) : seen_(size, -1), position_(position) {}

  /// Begins column `mark`.
  void clear(int mark) {
    mark_ = mark;
    found_.clear();
  }
  template <typename T>
  void add(const Compressed<T>& lower, int row) {
    if (seen_[row] == mark_) return;
    enter(lower, row);
    while (!path_.empty()) {
      Step& last = path_.back();
      if (last.next == last.end) {
        found_.push_back(last.row);
        path_.pop_back();
      } else if (const int below = lower.indices[last.next++]; seen_[below] != mark_) {
        enter(lower, below);  // `last` may be gone
      }
    }
  }
  /// Each after those that it depends on, from the last to the first.
  const std::vector<int>& found() const { return found_; }

 private:
  struct Step {
    int row, next, end;
  };
  template <typename T>
  void enter(const Compressed<T>& lower, int row) {
    seen_[row] = mark_;
    const int column = position_[row];
    path_.push_back(column < 0 ? Step{row, 0, 0}
                               : Step{row, lower.offsets[column], lower.offsets[column + 1]});
  }

  int mark_ = -1;
  std::vector<int> seen_;
  const std::vector<int>& position_;
  std::vector<Step> path_;
  std::vector<int> found_;
};

/// The row that column `column`, of values `x` at the rows `found`, has its pivot in. One without
/// elements takes `otherwise`: the matrix is singular.
template <typename T>
int pivot_of(const std::vector<int>& found, const std::vector<T>& x,
             const std::vector<int>& position, int column, Real<T> threshold, int otherwise) {
  int best = -1;
  for (const int row : found)
    if (position[row] < 0 && (best < 0 || size_of(x[row]) > size_of(x[best]))) best = row;
  const Real<T> largest = best < 0 ? 0 : size_of(x[best]);
  const bool is_free = position[column] < 0, is_there = !is_zero(x[column]) || largest == 0;
  if (is_free && is_there && size_of(x[column]) >= threshold * largest) return column;
  return best < 0 ? otherwise : best;
}

}  // namespace

template <typename T>
SparseLu<T>::SparseLu(const Pattern& a, const std::vector<int>& order, const T* values,
                      Real<T> threshold)
    : pivots_(order.size()), order_(order) {
  const int n = a.rows;
  const ByColumns by_columns(a);
  std::vector<int> position(static_cast<std::size_t>(n), -1);
  std::vector<T> x(static_cast<std::size_t>(n), number<T>(0));
  Reach reach(n, position);
  int first_free = 0;  // rows before it have their column
  for (int k = 0; k < n; ++k) {
    const int column = order[k];
    reach.clear(k);
    for (int m = by_columns.offsets[column]; m < by_columns.offsets[column + 1]; ++m) {
      reach.add(lower_, by_columns.rows[m]);
      x[by_columns.rows[m]] = x[by_columns.rows[m]] + values[by_columns.places[m]];
    }
    const std::vector<int>& found = reach.found();
    for (auto row = found.rbegin(); row != found.rend(); ++row) {
      const int above = position[*row];
      if (above < 0) continue;
      upper_.add(above, x[*row]);
      for (int m = lower_.offsets[above]; m < lower_.offsets[above + 1]; ++m)
        x[lower_.indices[m]] = x[lower_.indices[m]] - lower_.values[m] * x[*row];
    }
    while (position[first_free] >= 0) ++first_free;
    const int pivot = pivot_of(found, x, position, column, threshold, first_free);
    const T diagonal = x[pivot];
    upper_.add(k, diagonal);
    upper_.end();
    for (const int row : found) {
      if (position[row] < 0 && row != pivot)
        lower_.add(row, is_zero(diagonal) ? number<T>(0) : x[row] / diagonal);
      x[row] = number<T>(0);
    }
    lower_.end();
    position[pivot] = k;
    pivots_[k] = pivot;
  }
  for (int& row : lower_.indices) row = position[row];
}

template <typename T>
int SparseLu<T>::first_singular(Real<T> tolerance) const {
  for (int k = 0; k < size(); ++k) {
    const T diagonal = upper_.values[upper_.offsets[k + 1] - 1];
    if (!(std::hypot(real(diagonal), imaginary(diagonal)) > tolerance)) return k;
  }
  return -1;
}

template <typename T>
void SparseLu<T>::solve(const T* b, T* x) const {
  std::vector<T> right(order_.size());
  for (int k = 0; k < size(); ++k) right[k] = b[pivots_[k]];
  for (int k = 0; k < size(); ++k)
    for (int m = lower_.offsets[k]; m < lower_.offsets[k + 1]; ++m)
      right[lower_.indices[m]] = right[lower_.indices[m]] - lower_.values[m] * right[k];
  for (int k = size() - 1; k >= 0; --k) {
    const int diagonal = upper_.offsets[k + 1] - 1;
    right[k] = right[k] / upper_.values[diagonal];
    for (int m = upper_.offsets[k]; m < diagonal; ++m)
      right[upper_.indices[m]] = right[upper_.indices[m]] - upper_.values[m] * right[k];
  }
  for (int k = 0; k < size(); ++k) x[order_[k]] = right[k];
}

template class SparseLu<float>;
template class SparseLu<double>;
template class SparseLu<Complex<float>>;
template class SparseLu<Complex<double>>;

}  // namespace gridspan::libraries::solver
