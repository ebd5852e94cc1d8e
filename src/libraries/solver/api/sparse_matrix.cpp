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

/// Neighbours in A + A^T, without the row itself, each once.
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

/// A band of `below` elements under the diagonal and `above` ones over it, by rows.
template <typename T>
class Band {
 public:
  Band(int rows, int below, int above)
      : below_(below),
        width_(below + above + 1),
        values_(static_cast<std::size_t>(rows) * width_) {}
  T& operator()(int i, int j) {
    return values_[static_cast<std::size_t>(i) * width_ + (j - i + below_)];
  }

 private:
  int below_, width_;
  std::vector<T> values_;
};

}  // namespace

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
void solve_band(const Pattern& pattern, Method method, const T* values, const T* b,
                Real<T> tolerance, T* x, int& first_singular) {
  const int n = pattern.rows;
  const bool is_cholesky = method == Method::cholesky;
  const std::vector<int> order = order_to_band(pattern);
  std::vector<int> place(n);
  for (int i = 0; i < n; ++i) place[order[i]] = i;
  int below = 0, above = 0;
  for (int i = 0; i < n; ++i)
    for (int k = pattern.offsets[i]; k < pattern.offsets[i + 1]; ++k) {
      const int distance = place[i] - place[pattern.columns[k]];
      below = std::max(below, distance);
      above = std::max(above, -distance);
    }
  if (is_cholesky) below = above = std::max(below, above);
  // Rows that change places bring what is below over the diagonal.
  const int reach = is_cholesky ? above : above + below;
  Band<T> a(n, below, reach);
  std::vector<T> right(n);
  for (int i = 0; i < n; ++i) {
    right[place[i]] = b[i];
    for (int k = pattern.offsets[i]; k < pattern.offsets[i + 1]; ++k) {
      const int j = pattern.columns[k];
      if (is_cholesky && i < j) continue;
      a(place[i], place[j]) = a(place[i], place[j]) + values[k];
      if (is_cholesky && i != j) a(place[j], place[i]) = a(place[j], place[i]) + conj(values[k]);
    }
  }
  first_singular = -1;
  for (int k = 0; k < n; ++k) {
    const int last_row = std::min(n - 1, k + below), last = std::min(n - 1, k + reach);
    int best = k;
    for (int i = k + 1; !is_cholesky && i <= last_row; ++i)
      if (size_of(a(i, k)) > size_of(a(best, k))) best = i;
    if (best != k) {
      for (int j = k; j <= last; ++j) std::swap(a(k, j), a(best, j));
      std::swap(right[k], right[best]);
    }
    const T diagonal = a(k, k);
    // Cholesky's factor has the root of it.
    const bool is_regular = is_cholesky
                                ? real(diagonal) > tolerance * tolerance
                                : std::hypot(real(diagonal), imaginary(diagonal)) > tolerance;
    if (!is_regular && first_singular < 0) {
      first_singular = order[k];
      if (is_cholesky) return;
    }
    if (is_zero(diagonal)) continue;
    for (int i = k + 1; i <= last_row; ++i) {
      const T factor = a(i, k) / diagonal;
      if (is_zero(factor)) continue;
      for (int j = k + 1; j <= last; ++j) a(i, j) = a(i, j) - factor * a(k, j);
      right[i] = right[i] - factor * right[k];
    }
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j <= std::min(n - 1, i + reach); ++j)
      right[i] = right[i] - a(i, j) * right[j];
    right[i] = right[i] / a(i, i);
  }
  for (int i = 0; i < n; ++i) x[order[i]] = right[i];
}

#define GRIDSPAN_BAND(T) \
  template void solve_band<T>(const Pattern&, Method, const T*, const T*, Real<T>, T*, int&);
GRIDSPAN_BAND(float)
GRIDSPAN_BAND(double)
GRIDSPAN_BAND(Complex<float>)
GRIDSPAN_BAND(Complex<double>)
#undef GRIDSPAN_BAND

}  // namespace gridspan::libraries::solver
