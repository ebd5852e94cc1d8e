// cuSOLVER: LU factors of sparse matrices on the host, step by step.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/solver/api/sparse_lu.h"
#include "libraries/solver/api/sparse_steps.h"

#include <algorithm>

namespace gridspan::libraries::solver {
namespace {

/// A factor as a program takes it: compressed rows, in arrays of its own.
template <typename T>
struct FactorRows {
  const cusparseMatDescr* descriptor;
  T* values;
  int *starts, *columns;
};

cusolverStatus_t analyse_for_lu(const Check& check, cusolverSpHandle_t handle, const Csr& a,
                                csrluInfoHost* info) {
  const cusolverStatus_t status = analyse(check, handle, false, a.rows, a, info);
  if (status != CUSOLVER_STATUS_SUCCESS) return status;
  return guarded([&] {
    info->lower_count = info->upper_count = -1;
    info->order = order_for_factors(info->pattern);
    return CUSOLVER_STATUS_SUCCESS;
  });
}

template <typename T>
cusolverStatus_t factor_by_lu(Check check, const Csr& a, const T* values, Real<T> threshold,
                              csrluInfoHost* info) {
  check_csr(check, a);
  check.that(values || a.count <= 0, "csrValA")
      .that(check.failed() || (info->is_analysed && info->pattern.rows == a.rows &&
                               info->pattern.columns.size() == static_cast<std::size_t>(a.count)),
            "info")
      .that(threshold >= 0 && threshold <= 1, "pivot_threshold");
  if (check.failed()) return check.status();
  return guarded([&] {
    info->factors.reset();
    SparseLu<T> made(info->pattern, info->order, values, threshold);
    info->lower_count = made.lower().offsets.back();
    info->upper_count = made.upper().offsets.back();
    info->factors = std::move(made);
    return CUSOLVER_STATUS_SUCCESS;
  });
}

/// Null, and a status in the check, if there are no factors of the type.
template <typename T>
const SparseLu<T>* lu_of(Check& check, const csrluInfoHost* info) {
  const auto* const factors = check.failed() ? nullptr : std::any_cast<SparseLu<T>>(&info->factors);
  check.that(factors, "info", CUSOLVER_STATUS_INVALID_VALUE, "has no factors of the type");
  return factors;
}

template <typename T>
cusolverStatus_t lu_zero_pivot(Check check, const csrluInfoHost* info, Real<T> tolerance,
                               int* position) {
  const SparseLu<T>* const factors = lu_of<T>(check, info);
  check.given(position, "position");
  if (!check.failed()) *position = factors->first_singular(tolerance);
  return check.status();
}

template <typename T>
cusolverStatus_t solve_by_lu(Check check, int n, const T* b, T* x, const csrluInfoHost* info) {
  const SparseLu<T>* const factors = lu_of<T>(check, info);
  check.that(check.failed() || n == factors->size(), "n")
      .that(b || n <= 0, "b")
      .that(x || n <= 0, "x");
  if (check.failed()) return check.status();
  return guarded([&] {
    factors->solve(b, x);
    return CUSOLVER_STATUS_SUCCESS;
  });
}

template <typename T>
void check_factor(Check& check, const FactorRows<T>& rows, int count, const char* descriptor,
                  const char* values, const char* starts, const char* columns) {
  check.given(rows.descriptor, descriptor)
      .that(check.failed() || rows.descriptor->type == CUSPARSE_MATRIX_TYPE_GENERAL, descriptor,
            CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED)
      .that(rows.values || count == 0, values)
      .given(rows.starts, starts)
      .that(rows.columns || count == 0, columns);
}

template <typename T>
void give_factor(const Compressed<T>& columns, int size, const FactorRows<T>& to) {
  const int base = to.descriptor->index_base == CUSPARSE_INDEX_BASE_ONE;
  const Compressed<T> rows = columns.turned(size);
  const auto based = [base](int index) { return index + base; };
  std::transform(rows.offsets.begin(), rows.offsets.end(), to.starts, based);
  std::transform(rows.indices.begin(), rows.indices.end(), to.columns, based);
  std::copy(rows.values.begin(), rows.values.end(), to.values);
}

template <typename T>
cusolverStatus_t extract_lu(Check check, int* p, int* q, const FactorRows<T>& lower,
                            const FactorRows<T>& upper, const csrluInfoHost* info) {
  const SparseLu<T>* const factors = lu_of<T>(check, info);
  if (check.failed()) return check.status();
  const int size = factors->size();
  check.that(p || size == 0, "P").that(q || size == 0, "Q");
  check_factor(check, lower, info->lower_count, "descrL", "csrValL", "csrRowPtrL", "csrColIndL");
  check_factor(check, upper, info->upper_count, "descrU", "csrValU", "csrRowPtrU", "csrColIndU");
  if (check.failed()) return check.status();
  return guarded([&] {
    std::copy(factors->row_order().begin(), factors->row_order().end(), p);
    std::copy(factors->column_order().begin(), factors->column_order().end(), q);
    give_factor(factors->lower(), size, lower);
    give_factor(factors->upper(), size, upper);
    return CUSOLVER_STATUS_SUCCESS;
  });
}

}  // namespace
}  // namespace gridspan::libraries::solver

namespace solver = gridspan::libraries::solver;
using solver::inner;

#define GRIDSPAN_LU_STEPS(letter, T, R)                                                       \
  cusolverStatus_t cusolverSp##letter##csrluBufferInfoHost(                                   \
      cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA, const T*,  \
      const int* csrRowPtrA, const int* csrColIndA, csrluInfoHost_t info,                     \
      size_t* internalDataInBytes, size_t* workspaceInBytes) {                                \
    return solver::give_room(                                                                 \
        solver::checked("cusolverSp" #letter "csrluBufferInfoHost", handle, info),            \
        {n, nnzA, descrA, csrRowPtrA, csrColIndA}, internalDataInBytes, workspaceInBytes);    \
  }                                                                                           \
  cusolverStatus_t cusolverSp##letter##csrluFactorHost(                                       \
      cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA,            \
      const T* csrValA, const int* csrRowPtrA, const int* csrColIndA, csrluInfoHost_t info,   \
      R pivot_threshold, void*) {                                                             \
    return solver::factor_by_lu(                                                              \
        solver::checked("cusolverSp" #letter "csrluFactorHost", handle, info),                \
        {n, nnzA, descrA, csrRowPtrA, csrColIndA}, inner(csrValA), pivot_threshold, info);    \
  }                                                                                           \
  cusolverStatus_t cusolverSp##letter##csrluZeroPivotHost(                                    \
      cusolverSpHandle_t handle, csrluInfoHost_t info, R tol, int* position) {                \
    return solver::lu_zero_pivot<solver::Inner<T>>(                                           \
        solver::checked("cusolverSp" #letter "csrluZeroPivotHost", handle, info), info, tol,  \
        position);                                                                            \
  }                                                                                           \
  cusolverStatus_t cusolverSp##letter##csrluSolveHost(                                        \
      cusolverSpHandle_t handle, int n, const T* b, T* x, csrluInfoHost_t info, void*) {      \
    return solver::solve_by_lu(                                                               \
        solver::checked("cusolverSp" #letter "csrluSolveHost", handle, info), n, inner(b),    \
        inner(x), info);                                                                      \
  }                                                                                           \
  cusolverStatus_t cusolverSp##letter##csrluExtractHost(                                      \
      cusolverSpHandle_t handle, int* P, int* Q, const cusparseMatDescr_t descrL, T* csrValL, \
      int* csrRowPtrL, int* csrColIndL, const cusparseMatDescr_t descrU, T* csrValU,          \
      int* csrRowPtrU, int* csrColIndU, csrluInfoHost_t info, void*) {                        \
    return solver::extract_lu<solver::Inner<T>>(                                              \
        solver::checked("cusolverSp" #letter "csrluExtractHost", handle, info), P, Q,         \
        {descrL, inner(csrValL), csrRowPtrL, csrColIndL},                                     \
        {descrU, inner(csrValU), csrRowPtrU, csrColIndU}, info);                              \
  }

extern "C" {

cusolverStatus_t cusolverSpCreateCsrluInfoHost(csrluInfoHost_t* info) {
  return solver::create_info(info);
}
cusolverStatus_t cusolverSpDestroyCsrluInfoHost(csrluInfoHost_t info) {
  return solver::destroy_info(info);
}
cusolverStatus_t cusolverSpXcsrluAnalysisHost(cusolverSpHandle_t handle, int n, int nnzA,
                                              const cusparseMatDescr_t descrA,
                                              const int* csrRowPtrA, const int* csrColIndA,
                                              csrluInfoHost_t info) {
  return solver::analyse_for_lu(solver::checked("cusolverSpXcsrluAnalysisHost", handle, info),
                                handle, {n, nnzA, descrA, csrRowPtrA, csrColIndA}, info);
}
cusolverStatus_t cusolverSpXcsrluNnzHost(cusolverSpHandle_t handle, int* nnzLRef, int* nnzURef,
                                         csrluInfoHost_t info) {
  solver::Check check = solver::checked("cusolverSpXcsrluNnzHost", handle, info);
  check.given(nnzLRef, "nnzLRef").given(nnzURef, "nnzURef");
  check.that(check.failed() || info->upper_count >= 0, "info", CUSOLVER_STATUS_INVALID_VALUE,
             "has no factors");
  if (check.failed()) return check.status();
  *nnzLRef = info->lower_count;
  *nnzURef = info->upper_count;
  return CUSOLVER_STATUS_SUCCESS;
}

GRIDSPAN_LU_STEPS(S, float, float)
GRIDSPAN_LU_STEPS(D, double, double)
GRIDSPAN_LU_STEPS(C, cuComplex, float)
GRIDSPAN_LU_STEPS(Z, cuDoubleComplex, double)

}  // extern "C"
