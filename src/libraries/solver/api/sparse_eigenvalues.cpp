// cuSOLVER: the eigenvalue of a sparse matrix that is next to a number, and how many are in a
// rectangle. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices in device memory are copied, and computed with on the host. What counts eigenvalues
// makes a dense matrix.
#include "libraries/solver/api/general_matrix.h"
#include "libraries/solver/api/sparse_arguments.h"
#include "libraries/solver/api/sparse_lu.h"

#include <algorithm>
#include <cmath>
#include <complex>

namespace gridspan::libraries::solver {
namespace {

/// A - shift I: the pattern with a diagonal, values, and their places of the diagonal.
template <typename T>
struct ShiftedMatrix {
  ShiftedMatrix(const Pattern& a, const T* numbers) {
    pattern.rows = a.rows;
    pattern.offsets = {0};
    for (int i = 0; i < a.rows; ++i) {
      diagonals.push_back(static_cast<int>(values.size()));
      pattern.columns.push_back(i);
      values.push_back(number<T>(0));
      for (int k = a.offsets[i]; k < a.offsets[i + 1]; ++k) {
        pattern.columns.push_back(a.columns[k]);
        values.push_back(numbers[k]);
      }
      pattern.offsets.push_back(static_cast<int>(values.size()));
    }
  }
  void set_shift(T shift) {
    for (const int place : diagonals) values[place] = -shift;
  }
  /// y = A x, of an unshifted matrix.
  void multiply(const std::vector<T>& x, std::vector<T>& y) const {
    for (int i = 0; i < pattern.rows; ++i) {
      y[i] = number<T>(0);
      for (int k = pattern.offsets[i] + 1; k < pattern.offsets[i + 1]; ++k)
        y[i] = y[i] + values[k] * x[pattern.columns[k]];
    }
  }
  /// The largest size of an element.
  Real<T> size() const {
    Real<T> result = 0;
    for (const T& value : values) result = std::max(result, size_of(value));
    return result;
  }

  Pattern pattern;
  std::vector<T> values;
  std::vector<int> diagonals;
};

/// x / |x|
template <typename T>
void normalise(std::vector<T>& x) {
  Real<T> sum = 0;
  for (const T& one : x) sum += square_of(one);
  const Real<T> length = std::sqrt(sum);
  for (T& one : x) one = one / length;
}

/// Factors of A - shift I. An eigenvalue has none: then the shift is a little beside it.
template <typename T>
SparseLu<T> factors_beside(ShiftedMatrix<T>& a, T shift) {
  const std::vector<int> order = order_for_factors(a.pattern);
  Real<T> beside = a.size() * precision<Real<T>>();
  for (;; beside *= 16) {
    a.set_shift(shift);
    SparseLu<T> factors(a.pattern, order, a.values.data(), 1);
    if (factors.first_singular(0) < 0 || !(beside > 0) || beside > a.size()) return factors;
    shift = shift + number<T>(beside);
  }
}

template <typename T>
struct NextEigenvalue {
  T shift;
  const T* start;
  int most_steps;
  Real<T> tolerance;
  T* value;
  T* vector;
};

/// Powers of (A - shift I)^-1, until |A x - mu x| is at most the tolerance, for mu = x^H A x.
template <typename T>
cusolverStatus_t find_next(Check check, cusolverSpHandle_t handle, bool on_device, const Csr& a,
                           const T* values, const NextEigenvalue<T>& call) {
  check_csr(check, a);
  check.that(values || a.count <= 0, "csrValA")
      .that(call.start || a.rows <= 0, "x0")
      .size(call.most_steps, "maxite")
      .given(call.value, "mu")
      .that(call.vector || a.rows <= 0, "x");
  if (check.failed()) return check.status();
  return guarded([&] {
    const cudaStream_t stream = handle->stream;
    Pattern pattern;
    const cusolverStatus_t status = take_pattern(check, on_device, a, stream, pattern);
    if (status != CUSOLVER_STATUS_SUCCESS) return status;
    const HostCopy<T> numbers(on_device, values, a.count, stream);
    const HostCopy<T> start(on_device, call.start, a.rows, stream);
    if (numbers.error() != cudaSuccess) return status_of(numbers.error());
    if (start.error() != cudaSuccess) return status_of(start.error());
    ShiftedMatrix<T> matrix(pattern, numbers.get());
    const SparseLu<T> factors = factors_beside(matrix, call.shift);
    std::vector<T> x(start.get(), start.get() + a.rows), product(x.size()), value(1, call.shift);
    normalise(x);
    for (int step = 0; step < call.most_steps; ++step) {
      factors.solve(x.data(), x.data());
      normalise(x);
      matrix.multiply(x, product);
      value[0] = number<T>(0);
      for (std::size_t i = 0; i < x.size(); ++i) value[0] = value[0] + conj(x[i]) * product[i];
      Real<T> rest = 0;
      for (std::size_t i = 0; i < x.size(); ++i) rest += square_of(product[i] - value[0] * x[i]);
      if (std::sqrt(rest) <= call.tolerance) break;
    }
    const cudaError_t error = give(on_device, value, call.value, stream);
    return status_of(error == cudaSuccess ? give(on_device, x, call.vector, stream) : error);
  });
}

/// The rectangle's edges are in it.
template <typename T, typename Corner>
cusolverStatus_t count_eigenvalues(Check check, const Csr& a, const T* values, Corner low,
                                   Corner high, int* count) {
  check_csr(check, a);
  check.that(values || a.count <= 0, "csrValA").given(count, "num_eigs");
  if (check.failed()) return check.status();
  return guarded([&] {
    Pattern pattern;
    const cusolverStatus_t status = take_pattern(check, false, a, nullptr, pattern);
    if (status != CUSOLVER_STATUS_SUCCESS) return status;
    using Wide = std::conditional_t<Element<T>::is_complex, std::complex<double>, double>;
    const auto n = static_cast<std::size_t>(a.rows);
    std::vector<Wide> dense(n * n);
    for (std::size_t i = 0; i < n; ++i)
      for (int k = pattern.offsets[i]; k < pattern.offsets[i + 1]; ++k) {
        Wide& to = dense[i + static_cast<std::size_t>(pattern.columns[k]) * n];
        if constexpr (Element<T>::is_complex)
          to += Wide(values[k].x, values[k].y);
        else
          to += values[k];
      }
    const Eigensystem found = eigensystem(dense, a.rows, false);
    if (found.failed != 0) return CUSOLVER_STATUS_INTERNAL_ERROR;
    *count = static_cast<int>(
        std::count_if(found.values.begin(), found.values.end(), [&](std::complex<double> value) {
          return value.real() >= low.x && value.real() <= high.x && value.imag() >= low.y &&
                 value.imag() <= high.y;
        }));
    return CUSOLVER_STATUS_SUCCESS;
  });
}

}  // namespace
}  // namespace gridspan::libraries::solver

namespace solver = gridspan::libraries::solver;
using solver::inner;

#define GRIDSPAN_NEXT_EIGENVALUE(letter, T, R, where, on_device)                          \
  cusolverStatus_t cusolverSp##letter##csreigvsi##where(                                  \
      cusolverSpHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA,         \
      const T* csrValA, const int* csrRowPtrA, const int* csrColIndA, T mu0, const T* x0, \
      int maxite, R tol, T* mu, T* x) {                                                   \
    return solver::find_next<solver::Inner<T>>(                                           \
        {"cusolverSp" #letter "csreigvsi" #where, handle}, handle, on_device,             \
        {m, nnz, descrA, csrRowPtrA, csrColIndA}, inner(csrValA),                         \
        {*inner(&mu0), inner(x0), maxite, tol, inner(mu), inner(x)});                     \
  }
#define GRIDSPAN_EIGENVALUES(letter, T, R, corner)                                               \
  GRIDSPAN_NEXT_EIGENVALUE(letter, T, R, , true)                                                 \
  GRIDSPAN_NEXT_EIGENVALUE(letter, T, R, Host, false)                                            \
  cusolverStatus_t cusolverSp##letter##csreigsHost(                                              \
      cusolverSpHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA,                \
      const T* csrValA, const int* csrRowPtrA, const int* csrColIndA, corner left_bottom_corner, \
      corner right_upper_corner, int* num_eigs) {                                                \
    return solver::count_eigenvalues({"cusolverSp" #letter "csreigsHost", handle},               \
                                     {m, nnz, descrA, csrRowPtrA, csrColIndA}, inner(csrValA),   \
                                     left_bottom_corner, right_upper_corner, num_eigs);          \
  }

extern "C" {

GRIDSPAN_EIGENVALUES(S, float, float, cuComplex)
GRIDSPAN_EIGENVALUES(D, double, double, cuDoubleComplex)
GRIDSPAN_EIGENVALUES(C, cuComplex, float, cuComplex)
GRIDSPAN_EIGENVALUES(Z, cuDoubleComplex, double, cuDoubleComplex)

}  // extern "C"
