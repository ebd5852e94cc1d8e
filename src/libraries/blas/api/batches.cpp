// cuBLAS: factors, inverses, systems and least squares of many small matrices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/kernels/batches.h"

#include "libraries/blas/api/work.h"
#include "libraries/support/live_objects.h"

#include <algorithm>
#include <initializer_list>

namespace gridspan::libraries::blas {
namespace {

using solver::Inner;

/// As the kernels name the elements.
template <typename T>
Inner<T>* const* inner(T* const* array) {
  return reinterpret_cast<Inner<T>* const*>(array);
}
template <typename T>
const Inner<T>* const* inner(const T* const* array) {
  return reinterpret_cast<const Inner<T>* const*>(array);
}

bool holds_rows(int lead, int rows) { return lead >= std::max(1, rows); }

struct Parameter {
  int place;  // as LAPACK counts them: from 1, without the handle
  bool is_right;
};

/// The status that a batch's arguments give. info: minus the place of the first that is wrong, or
/// 0.
cublasStatus_t check_batch(cublasHandle_t handle, std::initializer_list<Parameter> parameters,
                           int* info) {
  if (!is_live(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (info) *info = 0;
  for (const Parameter& parameter : parameters) {
    if (parameter.is_right) continue;
    if (info) *info = -parameter.place;
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  return CUBLAS_STATUS_SUCCESS;
}

template <typename T>
cublasStatus_t getrf(cublasHandle_t handle, int n, T* const* a, int lead, int* pivots, int* infos,
                     int batch_count) {
  const cublasStatus_t status = check_batch(handle,
                                            {{1, n >= 0},
                                             {3, holds_rows(lead, n)},
                                             {6, batch_count >= 0},
                                             {2, a || n <= 0 || batch_count == 0},
                                             {5, infos || batch_count == 0}},
                                            nullptr);
  if (status != CUBLAS_STATUS_SUCCESS || batch_count == 0) return status;
  return status_of(
      launch_lu_each<Inner<T>>(n, inner(a), lead, pivots, infos, batch_count, handle->stream));
}

template <typename T>
cublasStatus_t getri(cublasHandle_t handle, int n, const T* const* a, int lead, const int* pivots,
                     T* const* c, int lead_c, int* infos, int batch_count) {
  const cublasStatus_t status = check_batch(handle,
                                            {{1, n >= 0},
                                             {3, holds_rows(lead, n)},
                                             {6, holds_rows(lead_c, n)},
                                             {8, batch_count >= 0},
                                             {2, (a && c) || n <= 0 || batch_count == 0},
                                             {7, infos || batch_count == 0}},
                                            nullptr);
  if (status != CUBLAS_STATUS_SUCCESS || batch_count == 0 || n == 0) return status;
  return status_of(launch_lu_invert_each<Inner<T>>(n, inner(a), lead, pivots, inner(c), lead_c,
                                                   infos, batch_count, handle->stream));
}

template <typename T>
cublasStatus_t getrs(cublasHandle_t handle, cublasOperation_t operation, int n, int width,
                     const T* const* a, int lead, const int* pivots, T* const* b, int lead_b,
                     int* info, int batch_count) {
  const cublasStatus_t status = check_batch(handle,
                                            {{1, is_operation(operation)},
                                             {2, n >= 0},
                                             {3, width >= 0},
                                             {5, holds_rows(lead, n)},
                                             {8, holds_rows(lead_b, n)},
                                             {9, info != nullptr},
                                             {10, batch_count >= 0}},
                                            info);
  if (status != CUBLAS_STATUS_SUCCESS || batch_count == 0 || n == 0 || width == 0) return status;
  return status_of(launch_lu_solve_each<Inner<T>>(operation, n, width, inner(a), lead, pivots,
                                                  inner(b), lead_b, batch_count, handle->stream));
}

/// Documented: of at most 32 rows.
template <typename T>
cublasStatus_t matinv(cublasHandle_t handle, int n, const T* const* a, int lead, T* const* c,
                      int lead_c, int* infos, int batch_count) {
  const cublasStatus_t status = check_batch(handle,
                                            {{1, n >= 0 && n <= 32},
                                             {3, holds_rows(lead, n)},
                                             {5, holds_rows(lead_c, n)},
                                             {7, batch_count >= 0},
                                             {6, infos || batch_count == 0}},
                                            nullptr);
  if (status != CUBLAS_STATUS_SUCCESS || batch_count == 0 || n == 0) return status;
  return status_of(launch_invert_each<Inner<T>>(n, inner(a), lead, inner(c), lead_c, infos,
                                                batch_count, handle->stream));
}

template <typename T>
cublasStatus_t geqrf(cublasHandle_t handle, int m, int n, T* const* a, int lead, T* const* taus,
                     int* info, int batch_count) {
  const cublasStatus_t status = check_batch(handle,
                                            {{1, m >= 0},
                                             {2, n >= 0},
                                             {4, holds_rows(lead, m)},
                                             {6, info != nullptr},
                                             {7, batch_count >= 0}},
                                            info);
  if (status != CUBLAS_STATUS_SUCCESS || batch_count == 0 || m == 0 || n == 0) return status;
  return status_of(launch_qr_each<Inner<T>>(m, n, inner(a), lead, inner(taus), nullptr, batch_count,
                                            handle->stream));
}

/// Documented: not transposed, and not fewer equations than unknowns.
template <typename T>
cublasStatus_t gels(cublasHandle_t handle, cublasOperation_t operation, int m, int n, int width,
                    T* const* a, int lead, T* const* c, int lead_c, int* info, int* infos,
                    int batch_count) {
  const cublasStatus_t status = check_batch(handle,
                                            {{1, is_operation(operation)},
                                             {2, m >= 0},
                                             {3, n >= 0},
                                             {4, width >= 0},
                                             {6, holds_rows(lead, m)},
                                             {8, holds_rows(lead_c, m)},
                                             {9, info != nullptr},
                                             {11, batch_count >= 0}},
                                            info);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  if (operation != CUBLAS_OP_N || m < n) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (batch_count == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  Work work(handle->stream);
  auto* const tau = work.take<Inner<T>>(static_cast<std::int64_t>(n) * batch_count);
  work.step([&] {
    return launch_qr_each<Inner<T>>(m, n, inner(a), lead, nullptr, tau, batch_count, work.stream());
  });
  if (width > 0)
    work.step([&] {
      return launch_least_squares_each<Inner<T>>(
          m, n, width, reinterpret_cast<const Inner<T>* const*>(a), lead, tau, inner(c), lead_c,
          infos, batch_count, work.stream());
    });
  return work.finish();
}

}  // namespace
}  // namespace gridspan::libraries::blas

namespace blas = gridspan::libraries::blas;

#define GRIDSPAN_FACTORS(letter, T)                                                                \
  cublasStatus_t cublas##letter##getrfBatched(cublasHandle_t handle, int n, T* const A[], int lda, \
                                              int* P, int* info, int batchSize) {                  \
    return blas::getrf<T>(handle, n, A, lda, P, info, batchSize);                                  \
  }                                                                                                \
  cublasStatus_t cublas##letter##getriBatched(cublasHandle_t handle, int n, const T* const A[],    \
                                              int lda, const int* P, T* const C[], int ldc,        \
                                              int* info, int batchSize) {                          \
    return blas::getri<T>(handle, n, A, lda, P, C, ldc, info, batchSize);                          \
  }                                                                                                \
  cublasStatus_t cublas##letter##getrsBatched(                                                     \
      cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs, const T* const A[],         \
      int lda, const int* P, T* const B[], int ldb, int* info, int batchSize) {                    \
    return blas::getrs<T>(handle, trans, n, nrhs, A, lda, P, B, ldb, info, batchSize);             \
  }                                                                                                \
  cublasStatus_t cublas##letter##matinvBatched(cublasHandle_t handle, int n, const T* const A[],   \
                                               int lda, T* const Ainv[], int lda_inv, int* info,   \
                                               int batchSize) {                                    \
    return blas::matinv<T>(handle, n, A, lda, Ainv, lda_inv, info, batchSize);                     \
  }                                                                                                \
  cublasStatus_t cublas##letter##geqrfBatched(cublasHandle_t handle, int m, int n, T* const A[],   \
                                              int lda, T* const TauArray[], int* info,             \
                                              int batchSize) {                                     \
    return blas::geqrf<T>(handle, m, n, A, lda, TauArray, info, batchSize);                        \
  }                                                                                                \
  cublasStatus_t cublas##letter##gelsBatched(                                                      \
      cublasHandle_t handle, cublasOperation_t trans, int m, int n, int nrhs, T* const A[],        \
      int lda, T* const C[], int ldc, int* info, int* devInfoArray, int batchSize) {               \
    return blas::gels<T>(handle, trans, m, n, nrhs, A, lda, C, ldc, info, devInfoArray,            \
                         batchSize);                                                               \
  }

extern "C" {

GRIDSPAN_FACTORS(S, float)
GRIDSPAN_FACTORS(D, double)
GRIDSPAN_FACTORS(C, cuComplex)
GRIDSPAN_FACTORS(Z, cuDoubleComplex)

}  // extern "C"
