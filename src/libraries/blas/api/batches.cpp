// cuBLAS: factors, inverses, systems and least squares of many small matrices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/kernels/batches.h"

#include "libraries/blas/api/work.h"

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

/// Checks that also give *info, if there is one: minus the place of the first argument that is
/// wrong, as LAPACK counts them (from 1, without the handle), or 0.
class BatchCheck : public Check {
 public:
  BatchCheck(const Handle& handle, int* info) : Check(handle), info_(info) {
    if (info_ && !failed()) *info_ = 0;
  }
  /// `check` is what is asked of an argument.
  template <typename Ask>
  BatchCheck& at(int place, Ask ask) {
    const bool has_failed = failed();
    ask(static_cast<Check&>(*this));
    if (info_ && failed() && !has_failed) *info_ = -place;
    return *this;
  }
  BatchCheck& size_at(int place, std::int64_t value, const char* argument) {
    return at(place, [&](Check& check) { check.size(value, argument); });
  }
  BatchCheck& lead_at(int place, std::int64_t lead, std::int64_t rows, const char* argument) {
    return at(place, [&](Check& check) { check.lead(lead, rows, argument); });
  }
  BatchCheck& given_at(int place, bool is_given, const char* argument) {
    return at(place,
              [&](Check& check) { check.that(is_given, argument, Answers::invalid, "is null"); });
  }
  BatchCheck& operation_at(int place, cublasOperation_t operation) {
    return at(place, [&](Check& check) { check.operation(operation); });
  }

 private:
  int* info_;
};

template <typename T>
cublasStatus_t getrf(Handle handle, int n, T* const* a, int lead, int* pivots, int* infos,
                     int batch_count) {
  const cublasStatus_t status = BatchCheck(handle, nullptr)
                                    .size_at(1, n, "n")
                                    .lead_at(3, lead, n, "lda")
                                    .size_at(6, batch_count, "batchSize")
                                    .given_at(2, a || n <= 0 || batch_count == 0, "A")
                                    .given_at(5, infos || batch_count == 0, "info")
                                    .status();
  if (status != CUBLAS_STATUS_SUCCESS || batch_count == 0) return status;
  return status_of(
      launch_lu_each<Inner<T>>(n, inner(a), lead, pivots, infos, batch_count, handle->stream));
}

template <typename T>
cublasStatus_t getri(Handle handle, int n, const T* const* a, int lead, const int* pivots,
                     T* const* c, int lead_c, int* infos, int batch_count) {
  const bool is_nothing = n <= 0 || batch_count == 0;
  const cublasStatus_t status = BatchCheck(handle, nullptr)
                                    .size_at(1, n, "n")
                                    .lead_at(3, lead, n, "lda")
                                    .lead_at(6, lead_c, n, "ldc")
                                    .size_at(8, batch_count, "batchSize")
                                    .given_at(2, a || is_nothing, "A")
                                    .given_at(5, c || is_nothing, "C")
                                    .given_at(7, infos || batch_count == 0, "info")
                                    .status();
  if (status != CUBLAS_STATUS_SUCCESS || batch_count == 0 || n == 0) return status;
  return status_of(launch_lu_invert_each<Inner<T>>(n, inner(a), lead, pivots, inner(c), lead_c,
                                                   infos, batch_count, handle->stream));
}

template <typename T>
cublasStatus_t getrs(Handle handle, cublasOperation_t operation, int n, int width,
                     const T* const* a, int lead, const int* pivots, T* const* b, int lead_b,
                     int* info, int batch_count) {
  const cublasStatus_t status = BatchCheck(handle, info)
                                    .operation_at(1, operation)
                                    .size_at(2, n, "n")
                                    .size_at(3, width, "nrhs")
                                    .lead_at(5, lead, n, "lda")
                                    .lead_at(8, lead_b, n, "ldb")
                                    .given_at(9, info != nullptr, "info")
                                    .size_at(10, batch_count, "batchSize")
                                    .status();
  if (status != CUBLAS_STATUS_SUCCESS || batch_count == 0 || n == 0 || width == 0) return status;
  return status_of(launch_lu_solve_each<Inner<T>>(operation, n, width, inner(a), lead, pivots,
                                                  inner(b), lead_b, batch_count, handle->stream));
}

/// Documented: of at most 32 rows.
template <typename T>
cublasStatus_t matinv(Handle handle, int n, const T* const* a, int lead, T* const* c, int lead_c,
                      int* infos, int batch_count) {
  const cublasStatus_t status =
      BatchCheck(handle, nullptr)
          .size_at(1, n, "n")
          .at(1,
              [&](Check& check) { check.that(n <= 32, "n", Answers::invalid, "is more than 32"); })
          .lead_at(3, lead, n, "lda")
          .lead_at(5, lead_c, n, "lda_inv")
          .size_at(7, batch_count, "batchSize")
          .given_at(6, infos || batch_count == 0, "info")
          .status();
  if (status != CUBLAS_STATUS_SUCCESS || batch_count == 0 || n == 0) return status;
  return status_of(launch_invert_each<Inner<T>>(n, inner(a), lead, inner(c), lead_c, infos,
                                                batch_count, handle->stream));
}

template <typename T>
cublasStatus_t geqrf(Handle handle, int m, int n, T* const* a, int lead, T* const* taus, int* info,
                     int batch_count) {
  const cublasStatus_t status = BatchCheck(handle, info)
                                    .size_at(1, m, "m")
                                    .size_at(2, n, "n")
                                    .lead_at(4, lead, m, "lda")
                                    .given_at(6, info != nullptr, "info")
                                    .size_at(7, batch_count, "batchSize")
                                    .status();
  if (status != CUBLAS_STATUS_SUCCESS || batch_count == 0 || m == 0 || n == 0) return status;
  return status_of(launch_qr_each<Inner<T>>(m, n, inner(a), lead, inner(taus), nullptr, batch_count,
                                            handle->stream));
}

/// Documented: not transposed, and not fewer equations than unknowns.
template <typename T>
cublasStatus_t gels(Handle handle, cublasOperation_t operation, int m, int n, int width,
                    T* const* a, int lead, T* const* c, int lead_c, int* info, int* infos,
                    int batch_count) {
  BatchCheck check(handle, info);
  check.operation_at(1, operation)
      .size_at(2, m, "m")
      .size_at(3, n, "n")
      .size_at(4, width, "nrhs")
      .lead_at(6, lead, m, "lda")
      .lead_at(8, lead_c, m, "ldc")
      .given_at(9, info != nullptr, "info")
      .size_at(11, batch_count, "batchSize")
      .supported(operation == CUBLAS_OP_N, "trans")
      .that(m >= n, "m", Answers::unsupported, "is less than n");
  if (check.failed()) return check.status();
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
