// cuSOLVER: Cholesky's and LU factors, systems solved with them, inverses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/solver/kernels/factors.h"

#include "libraries/solver/api/arguments.h"

namespace gridspan::libraries::solver {
namespace {

template <typename T>
std::size_t cholesky_bytes(Size n) {
  return static_cast<std::size_t>(cholesky_room(n)) * sizeof(T);
}
template <typename T>
std::size_t inverse_bytes(Size n) {
  return static_cast<std::size_t>(inverse_room(n)) * sizeof(T);
}

Check& square(Check& check, cublasFillMode_t fill, Size n, const void* a, Size lead) {
  return check.fill(fill).size(n, "n").that(a || n <= 0, "A").lead(lead, n, "lda");
}

template <typename T>
cusolverStatus_t potrf(const char* call, cusolverDnHandle_t handle, cublasFillMode_t fill, Size n,
                       T* a, Size lead, void* work, std::size_t bytes, int* info) {
  Check check(call, handle);
  square(check, fill, n, a, lead)
      .that(bytes >= cholesky_bytes<T>(n), "Lwork")
      .that(work || n <= 0, "Workspace")
      .given(info, "devInfo");
  if (check.failed()) return check.status();
  Steps steps(handle->stream);
  cholesky<T>(steps, fill == CUBLAS_FILL_MODE_LOWER, n, a, lead, static_cast<T*>(work), info);
  return status_of(steps.error());
}

template <typename T>
cusolverStatus_t potrs(const char* call, cusolverDnHandle_t handle, cublasFillMode_t fill, Size n,
                       Size width, const T* a, Size lead, T* b, Size lead_b, int* info) {
  Check check(call, handle);
  check.fill(fill)
      .size(n, "n")
      .size(width, "nrhs")
      .that(a || n == 0, "A")
      .lead(lead, n, "lda")
      .that(b || n == 0 || width == 0, "B")
      .lead(lead_b, n, "ldb")
      .given(info, "devInfo");
  if (check.failed()) return check.status();
  Steps steps(handle->stream);
  steps.zero(info, sizeof *info);
  solve_cholesky<T>(steps, fill == CUBLAS_FILL_MODE_LOWER, n, width, a, lead, b, lead_b);
  return status_of(steps.error());
}

template <typename T>
cusolverStatus_t potri(const char* call, cusolverDnHandle_t handle, cublasFillMode_t fill, Size n,
                       T* a, Size lead, T* work, int count, int* info) {
  Check check(call, handle);
  square(check, fill, n, a, lead)
      .that(count >= inverse_room(n), "lwork")
      .that(work || n <= 0, "work")
      .given(info, "devInfo");
  if (check.failed()) return check.status();
  Steps steps(handle->stream);
  invert_cholesky<T>(steps, fill == CUBLAS_FILL_MODE_LOWER, n, a, lead, work, info);
  return status_of(steps.error());
}

template <typename T>
cusolverStatus_t potrf_batched(const char* call, cusolverDnHandle_t handle, cublasFillMode_t fill,
                               Size n, T* const* a, Size lead, int* infos, Size batch_count) {
  Check check(call, handle);
  square(check, fill, n, a, lead)
      .that(infos || batch_count <= 0, "infoArray")
      .size(batch_count, "batchSize");
  if (check.failed() || batch_count == 0) return check.status();
  Steps steps(handle->stream);
  cholesky_batched<T>(steps, fill == CUBLAS_FILL_MODE_LOWER, n, a, lead, infos, batch_count);
  return status_of(steps.error());
}

// Documented: one info for all, and it says of parameters only.
template <typename T>
cusolverStatus_t potrs_batched(const char* call, cusolverDnHandle_t handle, cublasFillMode_t fill,
                               Size n, Size width, T* const* a, Size lead, T* const* b, Size lead_b,
                               int* info, Size batch_count) {
  Check check(call, handle);
  check.fill(fill)
      .size(n, "n")
      .size(width, "nrhs")
      .that(a || n == 0, "A")
      .lead(lead, n, "lda")
      .that(b || n == 0 || width == 0, "B")
      .lead(lead_b, n, "ldb")
      .given(info, "d_info")
      .size(batch_count, "batchSize");
  if (check.failed()) return check.status();
  Steps steps(handle->stream);
  steps.zero(info, sizeof *info);
  if (n > 0 && width > 0)
    solve_cholesky_batched<T>(steps, fill == CUBLAS_FILL_MODE_LOWER, n, width, a, lead, b, lead_b,
                              batch_count);
  return status_of(steps.error());
}

template <typename T>
cusolverStatus_t getrf(const char* call, cusolverDnHandle_t handle, Size m, Size n, T* a, Size lead,
                       Pivots pivots, int* info) {
  Check check(call, handle);
  check.size(m, "m")
      .size(n, "n")
      .that(a || m == 0 || n == 0, "A")
      .lead(lead, m, "lda")
      .given(info, "devInfo");
  if (check.failed()) return check.status();
  Steps steps(handle->stream);
  factor_lu<T>(steps, m, n, a, lead, pivots, info);
  return status_of(steps.error());
}

template <typename T>
cusolverStatus_t getrs(const char* call, cusolverDnHandle_t handle, cublasOperation_t operation,
                       Size n, Size width, const T* a, Size lead, Pivots pivots, T* b, Size lead_b,
                       int* info) {
  Check check(call, handle);
  check.operation(operation)
      .size(n, "n")
      .size(width, "nrhs")
      .that(a || n == 0, "A")
      .lead(lead, n, "lda")
      .that(b || n == 0 || width == 0, "B")
      .lead(lead_b, n, "ldb")
      .given(info, "devInfo");
  if (check.failed()) return check.status();
  Steps steps(handle->stream);
  steps.zero(info, sizeof *info);
  solve_lu<T>(steps, operation, n, width, a, lead, pivots, b, lead_b);
  return status_of(steps.error());
}

/// Documented: rows k1 to k2, from 1, change places with those that the pivots name.
template <typename T>
cusolverStatus_t laswp(const char* call, cusolverDnHandle_t handle, Size n, T* a, Size lead,
                       Size first, Size last, const int* pivots, int step) {
  Check check(call, handle);
  check.size(n, "n")
      .that(a || n == 0, "A")
      .that(lead >= 1, "lda")
      .that(first >= 1, "k1")
      .that(last >= first, "k2")
      .given(pivots, "devIpiv")
      .that(step != 0, "incx");
  if (check.failed()) return check.status();
  // A negative step: the last row first, whose pivot is the first.
  Steps steps(handle->stream);
  const bool backwards = step < 0;
  const Size distance = backwards ? -Size{step} : Size{step};
  // LAPACK's places: k1 + (i - k1) |incx|.
  const int* const origin = pivots + (first - 1) - (first - 1) * distance;
  exchange_rows<T>(steps, n, a, lead, {const_cast<int*>(origin), false}, first - 1, last, backwards,
                   distance);
  return status_of(steps.error());
}

void triangle_shape(Check& check, cublasFillMode_t fill, cublasDiagType_t diagonal, Size n,
                    Size lead) {
  check.fill(fill)
      .that(diagonal == CUBLAS_DIAG_UNIT || diagonal == CUBLAS_DIAG_NON_UNIT, "diag")
      .size(n, "n")
      .lead(lead, n, "lda");
}

/// The triangle of the inverse; a unit diagonal is not touched.
template <typename T>
cusolverStatus_t trtri(Check check, cusolverDnHandle_t handle, bool is_lower, bool is_unit, Size n,
                       T* a, Size lead, void* work, std::size_t bytes, int* info) {
  check.that(a || n == 0, "A")
      .that(bytes >= inverse_bytes<T>(n), "workspaceInBytesOnDevice")
      .that(work || n == 0, "bufferOnDevice")
      .given(info, "devInfo");
  if (check.failed()) return check.status();
  Steps steps(handle->stream);
  const View<T> whole = {a, 1, lead}, inverse = {static_cast<T*>(work), 1, n};
  if (is_unit)
    steps.zero(info, sizeof *info);
  else
    find_zero<T>(steps, n, a, lead, info);
  set_identity(steps, n, n, inverse.base, n);
  solve_triangle<T>(steps, is_lower, is_unit, n, n, whole.read(), inverse);
  const Size down = is_unit && is_lower, right = is_unit && !is_lower, size = n - is_unit;
  copy<T>(steps, is_lower ? Part::lower : Part::upper, false, size, size,
          inverse.block(down, right).read(), whole.block(down, right));
  return status_of(steps.error());
}

template <typename T>
cusolverStatus_t give_room(const char* call, cusolverDnHandle_t handle, cublasFillMode_t fill,
                           Size n, Size lead, std::size_t bytes, int* count) {
  Check check(call, handle);
  check.fill(fill).size(n, "n").lead(lead, n, "lda").given(count, "Lwork");
  return check.failed() ? check.status() : give_elements<T>(bytes, count);
}

template <typename T>
cusolverStatus_t give_lu_room(const char* call, cusolverDnHandle_t handle, Size m, Size n,
                              Size lead, int* count) {
  Check check(call, handle);
  check.size(m, "m").size(n, "n").lead(lead, m, "lda").given(count, "Lwork");
  return check.failed() ? check.status() : give_elements<T>(0, count);
}

}  // namespace
}  // namespace gridspan::libraries::solver

namespace solver = gridspan::libraries::solver;
using solver::inner;

#define GRIDSPAN_FACTORS(letter, T)                                                                \
  cusolverStatus_t cusolverDn##letter##potrf_bufferSize(                                           \
      cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T*, int lda, int* Lwork) {          \
    return solver::give_room<T>("cusolverDn" #letter "potrf_bufferSize", handle, uplo, n, lda,     \
                                solver::cholesky_bytes<T>(n), Lwork);                              \
  }                                                                                                \
  cusolverStatus_t cusolverDn##letter##potrf(cusolverDnHandle_t handle, cublasFillMode_t uplo,     \
                                             int n, T* A, int lda, T* Workspace, int Lwork,        \
                                             int* devInfo) {                                       \
    return solver::potrf("cusolverDn" #letter "potrf", handle, uplo, n, inner(A), lda, Workspace,  \
                         Lwork < 0 ? 0 : Lwork * sizeof(T), devInfo);                              \
  }                                                                                                \
  cusolverStatus_t cusolverDn##letter##potrs(cusolverDnHandle_t handle, cublasFillMode_t uplo,     \
                                             int n, int nrhs, const T* A, int lda, T* B, int ldb,  \
                                             int* devInfo) {                                       \
    return solver::potrs("cusolverDn" #letter "potrs", handle, uplo, n, nrhs, inner(A), lda,       \
                         inner(B), ldb, devInfo);                                                  \
  }                                                                                                \
  cusolverStatus_t cusolverDn##letter##potri_bufferSize(                                           \
      cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T*, int lda, int* lwork) {          \
    return solver::give_room<T>("cusolverDn" #letter "potri_bufferSize", handle, uplo, n, lda,     \
                                solver::inverse_bytes<T>(n), lwork);                               \
  }                                                                                                \
  cusolverStatus_t cusolverDn##letter##potri(cusolverDnHandle_t handle, cublasFillMode_t uplo,     \
                                             int n, T* A, int lda, T* work, int lwork,             \
                                             int* devInfo) {                                       \
    return solver::potri("cusolverDn" #letter "potri", handle, uplo, n, inner(A), lda,             \
                         inner(work), lwork, devInfo);                                             \
  }                                                                                                \
  cusolverStatus_t cusolverDn##letter##potrfBatched(cusolverDnHandle_t handle,                     \
                                                    cublasFillMode_t uplo, int n, T* Aarray[],     \
                                                    int lda, int* infoArray, int batchSize) {      \
    return solver::potrf_batched("cusolverDn" #letter "potrfBatched", handle, uplo, n,             \
                                 reinterpret_cast<solver::Inner<T>**>(Aarray), lda, infoArray,     \
                                 batchSize);                                                       \
  }                                                                                                \
  cusolverStatus_t cusolverDn##letter##potrsBatched(                                               \
      cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs, T* A[], int lda, T* B[],  \
      int ldb, int* d_info, int batchSize) {                                                       \
    return solver::potrs_batched("cusolverDn" #letter "potrsBatched", handle, uplo, n, nrhs,       \
                                 reinterpret_cast<solver::Inner<T>**>(A), lda,                     \
                                 reinterpret_cast<solver::Inner<T>**>(B), ldb, d_info, batchSize); \
  }                                                                                                \
  cusolverStatus_t cusolverDn##letter##getrf_bufferSize(cusolverDnHandle_t handle, int m, int n,   \
                                                        T*, int lda, int* Lwork) {                 \
    return solver::give_lu_room<T>("cusolverDn" #letter "getrf_bufferSize", handle, m, n, lda,     \
                                   Lwork);                                                         \
  }                                                                                                \
  cusolverStatus_t cusolverDn##letter##getrf(cusolverDnHandle_t handle, int m, int n, T* A,        \
                                             int lda, T*, int* devIpiv, int* devInfo) {            \
    return solver::getrf("cusolverDn" #letter "getrf", handle, m, n, inner(A), lda,                \
                         {devIpiv, false}, devInfo);                                               \
  }                                                                                                \
  cusolverStatus_t cusolverDn##letter##laswp(cusolverDnHandle_t handle, int n, T* A, int lda,      \
                                             int k1, int k2, const int* devIpiv, int incx) {       \
    return solver::laswp("cusolverDn" #letter "laswp", handle, n, inner(A), lda, k1, k2, devIpiv,  \
                         incx);                                                                    \
  }                                                                                                \
  cusolverStatus_t cusolverDn##letter##getrs(cusolverDnHandle_t handle, cublasOperation_t trans,   \
                                             int n, int nrhs, const T* A, int lda,                 \
                                             const int* devIpiv, T* B, int ldb, int* devInfo) {    \
    return solver::getrs("cusolverDn" #letter "getrs", handle, trans, n, nrhs, inner(A), lda,      \
                         {const_cast<int*>(devIpiv), false}, inner(B), ldb, devInfo);              \
  }

extern "C" {

GRIDSPAN_FACTORS(S, float)
GRIDSPAN_FACTORS(D, double)
GRIDSPAN_FACTORS(C, cuComplex)
GRIDSPAN_FACTORS(Z, cuDoubleComplex)

cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t,
                                             cublasFillMode_t uplo, int64_t n,
                                             cudaDataType dataTypeA, const void*, int64_t lda,
                                             cudaDataType computeType,
                                             size_t* workspaceInBytesOnDevice,
                                             size_t* workspaceInBytesOnHost) {
  solver::Check check("cusolverDnXpotrf_bufferSize", handle);
  check.fill(uplo)
      .size(n, "n")
      .lead(lda, n, "lda")
      .that(dataTypeA == computeType, "computeType")
      .that(workspaceInBytesOnDevice && workspaceInBytesOnHost, "workspaceInBytesOnDevice");
  if (check.failed()) return check.status();
  return solver::with_type(dataTypeA, [&](auto x) {
    return solver::give_bytes(check, solver::cholesky_bytes<decltype(x)>(n),
                              workspaceInBytesOnDevice, workspaceInBytesOnHost);
  });
}

cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t handle, cusolverDnParams_t,
                                  cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA, void* A,
                                  int64_t lda, cudaDataType computeType, void* bufferOnDevice,
                                  size_t workspaceInBytesOnDevice, void*, size_t, int* info) {
  solver::Check check("cusolverDnXpotrf", handle);
  check.that(computeType == dataTypeA, "computeType");
  if (check.failed()) return check.status();
  return solver::with_type(dataTypeA, [&](auto x) {
    return solver::potrf("cusolverDnXpotrf", handle, uplo, n, static_cast<decltype(x)*>(A), lda,
                         bufferOnDevice, workspaceInBytesOnDevice, info);
  });
}

cusolverStatus_t cusolverDnXpotrs(cusolverDnHandle_t handle, cusolverDnParams_t,
                                  cublasFillMode_t uplo, int64_t n, int64_t nrhs,
                                  cudaDataType dataTypeA, const void* A, int64_t lda,
                                  cudaDataType dataTypeB, void* B, int64_t ldb, int* info) {
  solver::Check check("cusolverDnXpotrs", handle);
  check.that(dataTypeB == dataTypeA, "dataTypeB");
  if (check.failed()) return check.status();
  return solver::with_type(dataTypeA, [&](auto x) {
    using T = decltype(x);
    return solver::potrs("cusolverDnXpotrs", handle, uplo, n, nrhs, static_cast<const T*>(A), lda,
                         static_cast<T*>(B), ldb, info);
  });
}

cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t,
                                             int64_t m, int64_t n, cudaDataType dataTypeA,
                                             const void*, int64_t lda, cudaDataType computeType,
                                             size_t* workspaceInBytesOnDevice,
                                             size_t* workspaceInBytesOnHost) {
  solver::Check check("cusolverDnXgetrf_bufferSize", handle);
  check.size(m, "m")
      .size(n, "n")
      .lead(lda, m, "lda")
      .that(dataTypeA == computeType, "computeType")
      .that(workspaceInBytesOnDevice && workspaceInBytesOnHost, "workspaceInBytesOnDevice");
  if (check.failed()) return check.status();
  return solver::with_type(dataTypeA, [&](auto x) {
    return solver::give_bytes(check, sizeof x, workspaceInBytesOnDevice, workspaceInBytesOnHost);
  });
}

cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t handle, cusolverDnParams_t, int64_t m,
                                  int64_t n, cudaDataType dataTypeA, void* A, int64_t lda,
                                  int64_t* ipiv, cudaDataType computeType, void*, size_t, void*,
                                  size_t, int* info) {
  solver::Check check("cusolverDnXgetrf", handle);
  check.that(computeType == dataTypeA, "computeType");
  if (check.failed()) return check.status();
  return solver::with_type(dataTypeA, [&](auto x) {
    return solver::getrf("cusolverDnXgetrf", handle, m, n, static_cast<decltype(x)*>(A), lda,
                         {ipiv, true}, info);
  });
}

cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t handle, cusolverDnParams_t,
                                  cublasOperation_t trans, int64_t n, int64_t nrhs,
                                  cudaDataType dataTypeA, const void* A, int64_t lda,
                                  const int64_t* ipiv, cudaDataType dataTypeB, void* B, int64_t ldb,
                                  int* info) {
  solver::Check check("cusolverDnXgetrs", handle);
  check.that(dataTypeB == dataTypeA, "dataTypeB");
  if (check.failed()) return check.status();
  return solver::with_type(dataTypeA, [&](auto x) {
    using T = decltype(x);
    return solver::getrs("cusolverDnXgetrs", handle, trans, n, nrhs, static_cast<const T*>(A), lda,
                         {const_cast<int64_t*>(ipiv), true}, static_cast<T*>(B), ldb, info);
  });
}

cusolverStatus_t cusolverDnXtrtri_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                                             cublasDiagType_t diag, int64_t n,
                                             cudaDataType dataTypeA, void*, int64_t lda,
                                             size_t* workspaceInBytesOnDevice,
                                             size_t* workspaceInBytesOnHost) {
  solver::Check check("cusolverDnXtrtri_bufferSize", handle);
  solver::triangle_shape(check, uplo, diag, n, lda);
  check.that(workspaceInBytesOnDevice && workspaceInBytesOnHost, "workspaceInBytesOnDevice");
  if (check.failed()) return check.status();
  return solver::with_type(dataTypeA, [&](auto x) {
    return solver::give_bytes(check, solver::inverse_bytes<decltype(x)>(n),
                              workspaceInBytesOnDevice, workspaceInBytesOnHost);
  });
}

cusolverStatus_t cusolverDnXtrtri(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                                  cublasDiagType_t diag, int64_t n, cudaDataType dataTypeA, void* A,
                                  int64_t lda, void* bufferOnDevice,
                                  size_t workspaceInBytesOnDevice, void*, size_t, int* devInfo) {
  solver::Check check("cusolverDnXtrtri", handle);
  solver::triangle_shape(check, uplo, diag, n, lda);
  if (check.failed()) return check.status();
  return solver::with_type(dataTypeA, [&](auto x) {
    return solver::trtri(check, handle, uplo == CUBLAS_FILL_MODE_LOWER, diag == CUBLAS_DIAG_UNIT, n,
                         static_cast<decltype(x)*>(A), lda, bufferOnDevice,
                         workspaceInBytesOnDevice, devInfo);
  });
}

}  // extern "C"
