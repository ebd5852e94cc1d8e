// cuSOLVER: least squares with sparse matrices, and diagonals without zeros; on the host.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/solver/api/compressed.h"
#include "libraries/solver/api/sparse_arguments.h"
#include "libraries/solver/api/sparse_rotations.h"

#include <algorithm>
#include <cmath>

namespace gridspan::libraries::solver {
namespace {

/// Columns that A^T A connects are neighbours. Rows with many elements connect all of theirs, and
/// are left out.
std::vector<int> order_of_columns(const Csr& a, int columns) {
  constexpr int many = 100;
  const int base = base_of(a);
  Compressed<int> by_rows;
  for (int i = 0; i < a.rows; ++i) {
    if (a.starts[i + 1] - a.starts[i] <= many)
      for (int k = a.starts[i] - base; k < a.starts[i + 1] - base; ++k)
        by_rows.add(a.columns[k] - base, 0);
    by_rows.end();
  }
  const Compressed<int> by_columns = by_rows.turned(columns);
  Pattern squared = {columns, {0}, {}};
  for (int j = 0; j < columns; ++j) {
    for (int k = by_columns.offsets[j]; k < by_columns.offsets[j + 1]; ++k) {
      const int row = by_columns.indices[k];
      for (int m = by_rows.offsets[row]; m < by_rows.offsets[row + 1]; ++m)
        squared.columns.push_back(by_rows.indices[m]);
    }
    squared.offsets.push_back(static_cast<int>(squared.columns.size()));
  }
  return order_to_few(squared);
}

void check_rows(Check& check, const Csr& a, int columns) {
  const int base = check.failed() ? 0 : base_of(a);
  for (int i = 0; !check.failed() && i < a.rows; ++i)
    check.that(
        a.starts[i] >= base && a.starts[i + 1] >= a.starts[i] && a.starts[i + 1] - base <= a.count,
        "csrRowPtrA");
  for (int k = 0; !check.failed() && k < a.count; ++k)
    check.that(a.columns[k] >= base && a.columns[k] - base < columns, "csrColIndA");
}

template <typename T>
struct LeastSquares {
  const T* b;
  Real<T> tolerance;
  int* rank;
  T* x;
  int* p;
  Real<T>* shortest;
};

/// The columns with a place in R first.
template <typename T>
cusolverStatus_t solve_least_squares(Check check, const Csr& a, int columns, const T* values,
                                     const LeastSquares<T>& call) {
  check_csr(check, a);
  check.size(columns, "n")
      .that(values || a.count <= 0, "csrValA")
      .that(call.b || a.rows <= 0, "b")
      .given(call.rank, "rankA")
      .that(call.x || columns <= 0, "x")
      .that(call.p || columns <= 0, "p")
      .given(call.shortest, "min_norm");
  if (check.failed()) return check.status();
  return guarded([&] {
    check_rows(check, a, columns);
    if (check.failed()) return check.status();
    const int base = base_of(a);
    const std::vector<int> order = order_of_columns(a, columns);
    std::vector<int> place(order.size());
    for (int k = 0; k < columns; ++k) place[order[k]] = k;
    RowRotations<T> rotations(columns);
    for (int i = 0; i < a.rows; ++i) {
      typename RowRotations<T>::Row row, sums;
      for (int k = a.starts[i] - base; k < a.starts[i + 1] - base; ++k)
        row.emplace_back(place[a.columns[k] - base], values[k]);
      std::sort(row.begin(), row.end(),
                [](const auto& one, const auto& other) { return one.first < other.first; });
      for (const auto& [column, value] : row)
        if (!sums.empty() && sums.back().first == column)
          sums.back().second = sums.back().second + value;
        else
          sums.emplace_back(column, value);
      rotations.add(std::move(sums), call.b[i]);
    }
    *call.rank = columns - rotations.drop(call.tolerance);
    const std::vector<T> x = rotations.solve();
    int next = 0, last = *call.rank;
    for (int k = 0; k < columns; ++k) {
      call.x[order[k]] = x[k];
      call.p[rotations.has_place(k) ? next++ : last++] = order[k];
    }
    *call.shortest = std::sqrt(rotations.rest());
    return CUSOLVER_STATUS_SUCCESS;
  });
}

/// Elements of A that are not 0 and have rows and columns of their own, as many as there can be:
/// columns take rows one after the other, those before make room (I. S. Duff, 1981).
class Matching {
 public:
  explicit Matching(const Compressed<char>& by_columns)
      : by_columns_(by_columns),
        row_of_(by_columns.offsets.size() - 1, -1),
        column_of_(row_of_.size(), -1),
        seen_(row_of_.size(), -1),
        next_(row_of_.size()) {
    for (int column = 0; column < size(); ++column) count_ += take_row(column);
  }
  int count() const { return count_; }
  /// Of each column; columns without one take the rows that are left.
  std::vector<int> rows() const {
    std::vector<int> result = row_of_;
    int free = 0;
    for (int& row : result) {
      if (row >= 0) continue;
      while (column_of_[free] >= 0) ++free;
      row = free++;
    }
    return result;
  }

 private:
  int size() const { return static_cast<int>(row_of_.size()); }
  /// Along columns that could have another row, to a row that is free.
  bool take_row(int first) {
    std::vector<int> path = {first};
    next_[first] = by_columns_.offsets[first];
    while (!path.empty()) {
      const int column = path.back();
      if (next_[column] == by_columns_.offsets[column + 1]) {
        path.pop_back();
        continue;
      }
      const int row = by_columns_.indices[next_[column]++];
      if (seen_[row] == first) continue;
      seen_[row] = first;
      const int owner = column_of_[row];
      if (owner >= 0) {
        next_[owner] = by_columns_.offsets[owner];
        path.push_back(owner);
        continue;
      }
      for (const int on_path : path) {
        row_of_[on_path] = by_columns_.indices[next_[on_path] - 1];
        column_of_[row_of_[on_path]] = on_path;
      }
      return true;
    }
    return false;
  }

  const Compressed<char>& by_columns_;
  std::vector<int> row_of_, column_of_, seen_, next_;
  int count_ = 0;
};

/// The diagonal of A(P, :) has as few zeros as there can be.
template <typename T>
cusolverStatus_t find_diagonal(Check check, const Csr& a, const T* values, int* p, int* count) {
  check_csr(check, a);
  check.that(values || a.count <= 0, "csrValA").that(p || a.rows <= 0, "P").given(count, "numnz");
  if (check.failed()) return check.status();
  return guarded([&] {
    check_rows(check, a, a.rows);
    if (check.failed()) return check.status();
    const int base = base_of(a);
    Compressed<char> by_rows;
    for (int i = 0; i < a.rows; ++i) {
      for (int k = a.starts[i] - base; k < a.starts[i + 1] - base; ++k)
        if (!is_zero(values[k])) by_rows.add(a.columns[k] - base, 0);
      by_rows.end();
    }
    const Compressed<char> by_columns = by_rows.turned(a.rows);
    const Matching matching(by_columns);
    const std::vector<int> rows = matching.rows();
    std::copy(rows.begin(), rows.end(), p);
    *count = matching.count();
    return CUSOLVER_STATUS_SUCCESS;
  });
}

}  // namespace
}  // namespace gridspan::libraries::solver

namespace solver = gridspan::libraries::solver;
using solver::inner;

#define GRIDSPAN_LEAST_SQUARES(letter, T, R)                                                      \
  cusolverStatus_t cusolverSp##letter##csrlsqvqrHost(                                             \
      cusolverSpHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t descrA,          \
      const T* csrValA, const int* csrRowPtrA, const int* csrColIndA, const T* b, R tol,          \
      int* rankA, T* x, int* p, R* min_norm) {                                                    \
    return solver::solve_least_squares<solver::Inner<T>>(                                         \
        {"cusolverSp" #letter "csrlsqvqrHost", handle}, {m, nnz, descrA, csrRowPtrA, csrColIndA}, \
        n, inner(csrValA), {inner(b), tol, rankA, inner(x), p, min_norm});                        \
  }                                                                                               \
  cusolverStatus_t cusolverSp##letter##csrzfdHost(                                                \
      cusolverSpHandle_t handle, int n, int nnz, const cusparseMatDescr_t descrA,                 \
      const T* csrValA, const int* csrRowPtrA, const int* csrColIndA, int* P, int* numnz) {       \
    return solver::find_diagonal({"cusolverSp" #letter "csrzfdHost", handle},                     \
                                 {n, nnz, descrA, csrRowPtrA, csrColIndA}, inner(csrValA), P,     \
                                 numnz);                                                          \
  }

extern "C" {

GRIDSPAN_LEAST_SQUARES(S, float, float)
GRIDSPAN_LEAST_SQUARES(D, double, double)
GRIDSPAN_LEAST_SQUARES(C, cuComplex, float)
GRIDSPAN_LEAST_SQUARES(Z, cuDoubleComplex, double)

}  // extern "C"
