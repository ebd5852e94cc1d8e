// cuSOLVER: the low-level functions of sparse factors, step by step: analysis, factors, solutions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Those that take device memory copy it: factors are made and kept on the host. QR's are LU factors
// with pivots, of square matrices.
#include "libraries/solver/api/sparse_steps.h"

namespace gridspan::libraries::solver {
namespace {

/// The values of the analysed pattern.
template <typename T>
cusolverStatus_t set_up(Check check, cusolverSpHandle_t handle, bool on_device, const Csr& a,
                        const T* values, T shift, SparseFactors* info) {
  check_csr(check, a);
  check.that(values || a.count <= 0, "csrValA")
      .that(check.failed() || (info->is_analysed && info->pattern.rows == a.rows &&
                               info->pattern.columns.size() == static_cast<std::size_t>(a.count)),
            "info");
  if (check.failed()) return check.status();
  return guarded([&] {
    const HostCopy<T> numbers(on_device, values, a.count, handle->stream);
    if (numbers.error() != cudaSuccess) return status_of(numbers.error());
    info->numbers = Shifted<T>{{numbers.get(), numbers.get() + a.count}, shift};
    return CUSOLVER_STATUS_SUCCESS;
  });
}

template <typename T>
cusolverStatus_t factor(Check check, Method method, SparseFactors* info) {
  const auto* const numbers = check.failed() ? nullptr : std::any_cast<Shifted<T>>(&info->numbers);
  check.given(numbers, "info");
  if (check.failed()) return check.status();
  return guarded([&] {
    info->factors = BandFactors<T>(info->pattern, method, numbers->values.data(), numbers->shift);
    return CUSOLVER_STATUS_SUCCESS;
  });
}

/// Null, and a status in the check, if there are no factors of the type.
template <typename T>
const BandFactors<T>* factors_of(Check& check, const SparseFactors* info) {
  const auto* const factors =
      check.failed() ? nullptr : std::any_cast<BandFactors<T>>(&info->factors);
  check.given(factors, "info");
  return factors;
}

template <typename T>
cusolverStatus_t zero_pivot(Check check, const SparseFactors* info, Real<T> tolerance,
                            int* position) {
  const BandFactors<T>* const factors = factors_of<T>(check, info);
  check.given(position, "position");
  if (!check.failed()) *position = factors->first_singular(tolerance);
  return check.status();
}

template <typename T>
cusolverStatus_t solve_with(Check check, cusolverSpHandle_t handle, bool on_device, int n,
                            const T* b, T* x, const SparseFactors* info) {
  const BandFactors<T>* const factors = factors_of<T>(check, info);
  check.that(check.failed() || n == info->pattern.rows, "n")
      .that(b || n <= 0, "b")
      .that(x || n <= 0, "x")
      // There is no solution with what Cholesky's method has begun.
      .that(check.failed() || factors->is_complete(), "info", CUSOLVER_STATUS_EXECUTION_FAILED);
  if (check.failed()) return check.status();
  return guarded([&] {
    const HostCopy<T> right(on_device, b, n, handle->stream);
    if (right.error() != cudaSuccess) return status_of(right.error());
    std::vector<T> result(static_cast<std::size_t>(n));
    factors->solve(right.get(), result.data());
    return status_of(give(on_device, result, x, handle->stream));
  });
}

/// QR: and the solution, if there are arrays for it.
template <typename T>
cusolverStatus_t factor_and_solve(const Check& check, cusolverSpHandle_t handle, bool on_device,
                                  int n, const T* b, T* x, SparseFactors* info) {
  const cusolverStatus_t status = factor<T>(check, Method::lu, info);
  if (status != CUSOLVER_STATUS_SUCCESS || !b || !x) return status;
  return solve_with<T>(check, handle, on_device, n, b, x, info);
}

template <typename T>
cusolverStatus_t set_up_and_factor(const Check& check, cusolverSpHandle_t handle, bool on_device,
                                   const Csr& a, const T* values, SparseFactors* info) {
  const cusolverStatus_t status =
      set_up<T>(check, handle, on_device, a, values, number<T>(0), info);
  return status == CUSOLVER_STATUS_SUCCESS ? factor<T>(check, Method::cholesky, info) : status;
}

template <typename T>
cusolverStatus_t give_diagonal(Check check, cusolverSpHandle_t handle, const SparseFactors* info,
                               Real<T>* values) {
  const BandFactors<T>* const factors = factors_of<T>(check, info);
  check.given(values, "diag")
      .that(check.failed() || factors->is_complete(), "info", CUSOLVER_STATUS_EXECUTION_FAILED);
  if (check.failed()) return check.status();
  return guarded([&] {
    std::vector<Real<T>> result(static_cast<std::size_t>(info->pattern.rows));
    factors->diagonal(result.data());
    return status_of(give(true, result, values, handle->stream));
  });
}

}  // namespace
}  // namespace gridspan::libraries::solver

namespace solver = gridspan::libraries::solver;
using solver::inner;

// `where`: Host, or nothing for functions that take device memory.
#define GRIDSPAN_QR_STEPS(letter, T, R, where, on_device)                                          \
  cusolverStatus_t cusolverSp##letter##csrqrBufferInfo##where(                                     \
      cusolverSpHandle_t handle, int m, int, int nnzA, const cusparseMatDescr_t descrA, const T*,  \
      const int* csrRowPtrA, const int* csrColIndA, csrqrInfo##where##_t info,                     \
      size_t* internalDataInBytes, size_t* workspaceInBytes) {                                     \
    return solver::give_room(                                                                      \
        solver::checked("cusolverSp" #letter "csrqrBufferInfo" #where, handle, info),              \
        {m, nnzA, descrA, csrRowPtrA, csrColIndA}, internalDataInBytes, workspaceInBytes);         \
  }                                                                                                \
  cusolverStatus_t cusolverSp##letter##csrqrSetup##where(                                          \
      cusolverSpHandle_t handle, int m, int, int nnzA, const cusparseMatDescr_t descrA,            \
      const T* csrValA, const int* csrRowPtrA, const int* csrColIndA, T mu,                        \
      csrqrInfo##where##_t info) {                                                                 \
    return solver::set_up(solver::checked("cusolverSp" #letter "csrqrSetup" #where, handle, info), \
                          handle, on_device, {m, nnzA, descrA, csrRowPtrA, csrColIndA},            \
                          inner(csrValA), *inner(&mu), info);                                      \
  }                                                                                                \
  cusolverStatus_t cusolverSp##letter##csrqrFactor##where(                                         \
      cusolverSpHandle_t handle, int, int n, int, T* b, T* x, csrqrInfo##where##_t info, void*) {  \
    return solver::factor_and_solve(                                                               \
        solver::checked("cusolverSp" #letter "csrqrFactor" #where, handle, info), handle,          \
        on_device, n, inner(b), inner(x), info);                                                   \
  }                                                                                                \
  cusolverStatus_t cusolverSp##letter##csrqrZeroPivot##where(                                      \
      cusolverSpHandle_t handle, csrqrInfo##where##_t info, R tol, int* position) {                \
    return solver::zero_pivot<solver::Inner<T>>(                                                   \
        solver::checked("cusolverSp" #letter "csrqrZeroPivot" #where, handle, info), info, tol,    \
        position);                                                                                 \
  }                                                                                                \
  cusolverStatus_t cusolverSp##letter##csrqrSolve##where(                                          \
      cusolverSpHandle_t handle, int, int n, T* b, T* x, csrqrInfo##where##_t info, void*) {       \
    return solver::solve_with<solver::Inner<T>>(                                                   \
        solver::checked("cusolverSp" #letter "csrqrSolve" #where, handle, info), handle,           \
        on_device, n, inner(b), inner(x), info);                                                   \
  }
#define GRIDSPAN_CHOLESKY_STEPS(letter, T, R, where, on_device)                                    \
  cusolverStatus_t cusolverSp##letter##csrcholBufferInfo##where(                                   \
      cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA, const T*,       \
      const int* csrRowPtrA, const int* csrColIndA, csrcholInfo##where##_t info,                   \
      size_t* internalDataInBytes, size_t* workspaceInBytes) {                                     \
    return solver::give_room(                                                                      \
        solver::checked("cusolverSp" #letter "csrcholBufferInfo" #where, handle, info),            \
        {n, nnzA, descrA, csrRowPtrA, csrColIndA}, internalDataInBytes, workspaceInBytes);         \
  }                                                                                                \
  cusolverStatus_t cusolverSp##letter##csrcholFactor##where(                                       \
      cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA,                 \
      const T* csrValA, const int* csrRowPtrA, const int* csrColIndA, csrcholInfo##where##_t info, \
      void*) {                                                                                     \
    return solver::set_up_and_factor(                                                              \
        solver::checked("cusolverSp" #letter "csrcholFactor" #where, handle, info), handle,        \
        on_device, {n, nnzA, descrA, csrRowPtrA, csrColIndA}, inner(csrValA), info);               \
  }                                                                                                \
  cusolverStatus_t cusolverSp##letter##csrcholZeroPivot##where(                                    \
      cusolverSpHandle_t handle, csrcholInfo##where##_t info, R tol, int* position) {              \
    return solver::zero_pivot<solver::Inner<T>>(                                                   \
        solver::checked("cusolverSp" #letter "csrcholZeroPivot" #where, handle, info), info, tol,  \
        position);                                                                                 \
  }                                                                                                \
  cusolverStatus_t cusolverSp##letter##csrcholSolve##where(                                        \
      cusolverSpHandle_t handle, int n, const T* b, T* x, csrcholInfo##where##_t info, void*) {    \
    return solver::solve_with<solver::Inner<T>>(                                                   \
        solver::checked("cusolverSp" #letter "csrcholSolve" #where, handle, info), handle,         \
        on_device, n, inner(b), inner(x), info);                                                   \
  }
#define GRIDSPAN_STEPS(letter, T, R)                                                              \
  GRIDSPAN_QR_STEPS(letter, T, R, , true)                                                         \
  GRIDSPAN_QR_STEPS(letter, T, R, Host, false)                                                    \
  GRIDSPAN_CHOLESKY_STEPS(letter, T, R, , true)                                                   \
  GRIDSPAN_CHOLESKY_STEPS(letter, T, R, Host, false)                                              \
  cusolverStatus_t cusolverSp##letter##csrcholDiag(cusolverSpHandle_t handle, csrcholInfo_t info, \
                                                   R* diag) {                                     \
    return solver::give_diagonal<solver::Inner<T>>(                                               \
        solver::checked("cusolverSp" #letter "csrcholDiag", handle, info), handle, info, diag);   \
  }
#define GRIDSPAN_ANALYSES(where, on_device)                                                        \
  cusolverStatus_t cusolverSpXcsrqrAnalysis##where(                                                \
      cusolverSpHandle_t handle, int m, int n, int nnzA, const cusparseMatDescr_t descrA,          \
      const int* csrRowPtrA, const int* csrColIndA, csrqrInfo##where##_t info) {                   \
    return solver::analyse(solver::checked("cusolverSpXcsrqrAnalysis" #where, handle, info),       \
                           handle, on_device, n, {m, nnzA, descrA, csrRowPtrA, csrColIndA}, info); \
  }                                                                                                \
  cusolverStatus_t cusolverSpXcsrcholAnalysis##where(                                              \
      cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA,                 \
      const int* csrRowPtrA, const int* csrColIndA, csrcholInfo##where##_t info) {                 \
    return solver::analyse(solver::checked("cusolverSpXcsrcholAnalysis" #where, handle, info),     \
                           handle, on_device, n, {n, nnzA, descrA, csrRowPtrA, csrColIndA}, info); \
  }

extern "C" {

cusolverStatus_t cusolverSpCreateCsrqrInfo(csrqrInfo_t* info) { return solver::create_info(info); }
cusolverStatus_t cusolverSpDestroyCsrqrInfo(csrqrInfo_t info) { return solver::destroy_info(info); }
cusolverStatus_t cusolverSpCreateCsrqrInfoHost(csrqrInfoHost_t* info) {
  return solver::create_info(info);
}
cusolverStatus_t cusolverSpDestroyCsrqrInfoHost(csrqrInfoHost_t info) {
  return solver::destroy_info(info);
}
cusolverStatus_t cusolverSpCreateCsrcholInfo(csrcholInfo_t* info) {
  return solver::create_info(info);
}
cusolverStatus_t cusolverSpDestroyCsrcholInfo(csrcholInfo_t info) {
  return solver::destroy_info(info);
}
cusolverStatus_t cusolverSpCreateCsrcholInfoHost(csrcholInfoHost_t* info) {
  return solver::create_info(info);
}
cusolverStatus_t cusolverSpDestroyCsrcholInfoHost(csrcholInfoHost_t info) {
  return solver::destroy_info(info);
}

GRIDSPAN_ANALYSES(, true)
GRIDSPAN_ANALYSES(Host, false)
GRIDSPAN_STEPS(S, float, float)
GRIDSPAN_STEPS(D, double, double)
GRIDSPAN_STEPS(C, cuComplex, float)
GRIDSPAN_STEPS(Z, cuDoubleComplex, double)

}  // extern "C"
