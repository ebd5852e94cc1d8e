// Orders, and factors in a band.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/solver/api/sparse_matrix.h"

#include <algorithm>
#include <cmath>

namespace gridspan::libraries::solver {
namespace {

Pattern transposed(const Pattern& a) {
  Pattern result = {a.rows, std::vector<int>(a.rows + 1), std::vector<int>(a.columns.size())};
  for (const int column : a.columns) ++result.offsets[column + 1];
  for (int i = 0; i < a.rows; ++i) result.offsets[i + 1] += result.offsets[i];
  std::vector<int> next(result.offsets.begin(), result.offsets.end() - 1);
  for (int i = 0; i < a.rows; ++i)
    for (int k = a.offsets[i]; k < a.offsets[i + 1]; ++k) result.columns[next[a.columns[k]]++] = i;
  return result;
}

/// Rows that can be reached from one, by distance, those of few neighbours first.
std::vector<int> by_distance(const std::vector<std::vector<int>>& neighbours, int start,
                             std::vector<int>& seen, int mark) {
  std::vector<int> order = {start};
  seen[start] = mark;
  for (std::size_t at = 0; at < order.size(); ++at) {
    const std::size_t first = order.size();
    for (const int next : neighbours[order[at]])
      if (seen[next] != mark) {
        seen[next] = mark;
        order.push_back(next);
      }
    std::sort(order.begin() + static_cast<std::ptrdiff_t>(first), order.end(), [&](int a, int b) {
      return std::pair(neighbours[a].size(), a) < std::pair(neighbours[b].size(), b);
    });
  }
  return order;
}

}  // namespace

std::vector<std::vector<int>> neighbours_of(const Pattern& a) {
  std::vector<std::vector<int>> result(a.rows);
  for (int i = 0; i < a.rows; ++i)
    for (int k = a.offsets[i]; k < a.offsets[i + 1]; ++k)
      if (a.columns[k] != i) {
        result[i].push_back(a.columns[k]);
        result[a.columns[k]].push_back(i);
      }
  for (auto& list : result) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return result;
}

bool read_pattern(int rows, int count, int base, const int* starts, const int* ends,
                  const int* columns, Pattern& pattern) {
  pattern = {rows, {0}, {}};
  for (int i = 0; i < rows; ++i) {
    if (starts[i] < base || ends[i] < starts[i] || ends[i] - base > count) return false;
    for (int k = starts[i] - base; k < ends[i] - base; ++k) {
      if (columns[k] < base || columns[k] - base >= rows) return false;
      pattern.columns.push_back(columns[k] - base);
    }
    pattern.offsets.push_back(static_cast<int>(pattern.columns.size()));
  }
  return true;
}

bool has_symmetric_pattern(const Pattern& pattern) {
  // Twice transposed: columns are in order.
  const Pattern other = transposed(pattern), own = transposed(other);
  return other.offsets == own.offsets && other.columns == own.columns;
}

std::vector<int> order_to_band(const Pattern& pattern) {
  const auto neighbours = neighbours_of(pattern);
  std::vector<int> result, seen(pattern.rows, -1), done(pattern.rows, 0);
  int mark = 0;
  for (int row = 0; row < pattern.rows; ++row) {
    if (done[row]) continue;
    // From the far end of the far end: long and narrow.
    int start = row;
    for (int turn = 0; turn < 3; ++turn)
      start = by_distance(neighbours, start, seen, mark++).back();
    for (const int next : by_distance(neighbours, start, seen, mark++)) {
      done[next] = 1;
      result.push_back(next);
    }
  }
  std::reverse(result.begin(), result.end());
  return result;
}

template <typename T>
BandFactors<T>::BandFactors(const Pattern& pattern, Method method, const T* values, T shift)
    : rows_(pattern.rows),
      is_cholesky_(method == Method::cholesky),
      order_(order_to_band(pattern)),
      exchanges_(static_cast<std::size_t>(rows_)) {
  const int n = rows_;
  std::vector<int> place(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) place[order_[i]] = i;
  int above = 0;
  for (int i = 0; i < n; ++i)
    for (int k = pattern.offsets[i]; k < pattern.offsets[i + 1]; ++k) {
      const int distance = place[i] - place[pattern.columns[k]];
      below_ = std::max(below_, distance);
      above = std::max(above, -distance);
    }
  if (is_cholesky_) below_ = above = std::max(below_, above);
  // Rows that change places bring what is below over the diagonal.
  reach_ = is_cholesky_ ? above : above + below_;
  a_ = Band<T>(n, below_, reach_);
  for (int i = 0; i < n; ++i) {
    a_(i, i) = -shift;
    for (int k = pattern.offsets[order_[i]]; k < pattern.offsets[order_[i] + 1]; ++k) {
      const int j = place[pattern.columns[k]];
      if (is_cholesky_ && order_[i] < pattern.columns[k]) continue;
      a_(i, j) = a_(i, j) + values[k];
      if (is_cholesky_ && i != j) a_(j, i) = a_(j, i) + conj(values[k]);
    }
  }
  for (int k = 0; k < n; ++k) {
    const int last_row = std::min(n - 1, k + below_), last = std::min(n - 1, k + reach_);
    int best = k;
    for (int i = k + 1; !is_cholesky_ && i <= last_row; ++i)
      if (size_of(a_(i, k)) > size_of(a_(best, k))) best = i;
    exchanges_[k] = best;
    for (int j = k; best != k && j <= last; ++j) std::swap(a_(k, j), a_(best, j));
    const T diagonal = a_(k, k);
    if (is_cholesky_ && !(real(diagonal) > 0)) {
      failed_ = k;
      return;
    }
    if (is_zero(diagonal)) continue;
    for (int i = k + 1; i <= last_row; ++i) {
      const T factor = a_(i, k) / diagonal;
      a_(i, k) = factor;
      if (is_zero(factor)) continue;
      for (int j = k + 1; j <= last; ++j) a_(i, j) = a_(i, j) - factor * a_(k, j);
    }
  }
}

template <typename T>
int BandFactors<T>::first_singular(Real<T> tolerance) const {
  for (int k = 0; k < rows_; ++k) {
    if (k == failed_) return order_[k];
    const T diagonal = a_(k, k);
    // Cholesky's factor has the root of it.
    const bool is_regular = is_cholesky_
                                ? real(diagonal) > tolerance * tolerance
                                : std::hypot(real(diagonal), imaginary(diagonal)) > tolerance;
    if (!is_regular) return order_[k];
  }
  return -1;
}

template <typename T>
void BandFactors<T>::solve(const T* b, T* x) const {
  std::vector<T> right(static_cast<std::size_t>(rows_));
  for (int i = 0; i < rows_; ++i) right[i] = b[order_[i]];
  for (int k = 0; k < rows_; ++k) {
    std::swap(right[k], right[exchanges_[k]]);
    for (int i = k + 1; i <= std::min(rows_ - 1, k + below_); ++i)
      right[i] = right[i] - a_(i, k) * right[k];
  }
  for (int i = rows_ - 1; i >= 0; --i) {
    for (int j = i + 1; j <= std::min(rows_ - 1, i + reach_); ++j)
      right[i] = right[i] - a_(i, j) * right[j];
    right[i] = right[i] / a_(i, i);
  }
  for (int i = 0; i < rows_; ++i) x[order_[i]] = right[i];
}

template <typename T>
void BandFactors<T>::diagonal(Real<T>* values) const {
  for (int i = 0; i < rows_; ++i) values[order_[i]] = std::sqrt(real(a_(i, i)));
}

template class BandFactors<float>;
template class BandFactors<double>;
template class BandFactors<Complex<float>>;
template class BandFactors<Complex<double>>;

}  // namespace gridspan::libraries::solver
