// cuBLAS before CUDA 4: calls of the functions with handles, on one handle of the process; the
// status of the last call that failed is asked for. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
#include "libraries/blas/api/checks.h"

#include <cublas.h>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>

namespace gridspan::libraries::blas {
namespace {

/// The handle, and what went wrong first since it was asked.
struct BeforeHandles {
  std::mutex mutex;
  cublasHandle_t handle = nullptr;
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
};
/// Never destroyed: a program's destructors may call.
BeforeHandles& before_handles() {
  static auto& state = *new BeforeHandles;
  return state;
}

void note(cublasStatus_t status) {
  BeforeHandles& state = before_handles();
  const std::lock_guard lock(state.mutex);
  if (status != CUBLAS_STATUS_SUCCESS) state.status = status;
}

/// Programs that do not call cublasInit get the handle with the first call, as with NVIDIA's
/// library.
cublasHandle_t v1_handle() {
  BeforeHandles& state = before_handles();
  const std::lock_guard lock(state.mutex);
  if (!state.handle && cublasCreate_v2(&state.handle) != CUBLAS_STATUS_SUCCESS) {
    state.handle = nullptr;
    state.status = CUBLAS_STATUS_NOT_INITIALIZED;
  }
  return state.handle;
}

// Letters of LAPACK. What is none of them is refused by the function that is called.
constexpr int unknown = 99;
cublasOperation_t operation_of(char letter) {
  switch (letter) {
    case 'n':
    case 'N':
      return CUBLAS_OP_N;
    case 't':
    case 'T':
      return CUBLAS_OP_T;
    case 'c':
    case 'C':
      return CUBLAS_OP_C;
    default:
      return static_cast<cublasOperation_t>(unknown);
  }
}
cublasFillMode_t fill_of(char letter) {
  if (letter == 'l' || letter == 'L') return CUBLAS_FILL_MODE_LOWER;
  if (letter == 'u' || letter == 'U') return CUBLAS_FILL_MODE_UPPER;
  return static_cast<cublasFillMode_t>(unknown);
}
cublasDiagType_t diagonal_of(char letter) {
  if (letter == 'n' || letter == 'N') return CUBLAS_DIAG_NON_UNIT;
  if (letter == 'u' || letter == 'U') return CUBLAS_DIAG_UNIT;
  return static_cast<cublasDiagType_t>(unknown);
}
cublasSideMode_t side_of(char letter) {
  if (letter == 'l' || letter == 'L') return CUBLAS_SIDE_LEFT;
  if (letter == 'r' || letter == 'R') return CUBLAS_SIDE_RIGHT;
  return static_cast<cublasSideMode_t>(unknown);
}

/// A call whose result is returned: 0 if it failed.
template <typename Result, typename Call>
Result result_of(Call call) {
  Result result{};
  const cublasStatus_t status = call(&result);
  note(status);
  return status == CUBLAS_STATUS_SUCCESS ? result : Result{};
}

}  // namespace
}  // namespace gridspan::libraries::blas

namespace blas = gridspan::libraries::blas;

#define GRIDSPAN_RUN(call) blas::note(call)
#define GRIDSPAN_HANDLE blas::v1_handle()

#define GRIDSPAN_V1_REDUCTION(name, Out, T)                                                   \
  Out cublas##name(int n, const T* x, int incx) {                                             \
    return blas::result_of<Out>(                                                              \
        [&](Out* result) { return cublas##name##_v2(GRIDSPAN_HANDLE, n, x, incx, result); }); \
  }
#define GRIDSPAN_V1_DOT(name, T)                                              \
  T cublas##name(int n, const T* x, int incx, const T* y, int incy) {         \
    return blas::result_of<T>([&](T* result) {                                \
      return cublas##name##_v2(GRIDSPAN_HANDLE, n, x, incx, y, incy, result); \
    });                                                                       \
  }
#define GRIDSPAN_V1_VECTORS(letter, T)                                                   \
  void cublas##letter##scal(int n, T alpha, T* x, int incx) {                            \
    GRIDSPAN_RUN(cublas##letter##scal_v2(GRIDSPAN_HANDLE, n, &alpha, x, incx));          \
  }                                                                                      \
  void cublas##letter##axpy(int n, T alpha, const T* x, int incx, T* y, int incy) {      \
    GRIDSPAN_RUN(cublas##letter##axpy_v2(GRIDSPAN_HANDLE, n, &alpha, x, incx, y, incy)); \
  }                                                                                      \
  void cublas##letter##copy(int n, const T* x, int incx, T* y, int incy) {               \
    GRIDSPAN_RUN(cublas##letter##copy_v2(GRIDSPAN_HANDLE, n, x, incx, y, incy));         \
  }                                                                                      \
  void cublas##letter##swap(int n, T* x, int incx, T* y, int incy) {                     \
    GRIDSPAN_RUN(cublas##letter##swap_v2(GRIDSPAN_HANDLE, n, x, incx, y, incy));         \
  }
#define GRIDSPAN_V1_ROT(name, Cosine, Sine, T)                                     \
  void cublas##name(int n, T* x, int incx, T* y, int incy, Cosine c, Sine s) {     \
    GRIDSPAN_RUN(cublas##name##_v2(GRIDSPAN_HANDLE, n, x, incx, y, incy, &c, &s)); \
  }
#define GRIDSPAN_V1_ROTATIONS(letter, T)                                                     \
  GRIDSPAN_V1_ROT(letter##rot, T, T, T)                                                      \
  void cublas##letter##rotg(T* a, T* b, T* c, T* s) {                                        \
    GRIDSPAN_RUN(cublas##letter##rotg_v2(GRIDSPAN_HANDLE, a, b, c, s));                      \
  }                                                                                          \
  void cublas##letter##rotm(int n, T* x, int incx, T* y, int incy, const T* parameters) {    \
    GRIDSPAN_RUN(cublas##letter##rotm_v2(GRIDSPAN_HANDLE, n, x, incx, y, incy, parameters)); \
  }                                                                                          \
  void cublas##letter##rotmg(T* d1, T* d2, T* x1, const T* y1, T* parameters) {              \
    GRIDSPAN_RUN(cublas##letter##rotmg_v2(GRIDSPAN_HANDLE, d1, d2, x1, y1, parameters));     \
  }
#define GRIDSPAN_V1_TRIANGLE(name, T)                                                             \
  void cublas##name(char uplo, char trans, char diag, int n, const T* A, int lda, T* x,           \
                    int incx) {                                                                   \
    GRIDSPAN_RUN(cublas##name##_v2(GRIDSPAN_HANDLE, blas::fill_of(uplo),                          \
                                   blas::operation_of(trans), blas::diagonal_of(diag), n, A, lda, \
                                   x, incx));                                                     \
  }
#define GRIDSPAN_V1_TRIANGLE_BAND(name, T)                                                      \
  void cublas##name(char uplo, char trans, char diag, int n, int k, const T* A, int lda, T* x,  \
                    int incx) {                                                                 \
    GRIDSPAN_RUN(cublas##name##_v2(GRIDSPAN_HANDLE, blas::fill_of(uplo),                        \
                                   blas::operation_of(trans), blas::diagonal_of(diag), n, k, A, \
                                   lda, x, incx));                                              \
  }
#define GRIDSPAN_V1_TRIANGLE_PACKED(name, T)                                                     \
  void cublas##name(char uplo, char trans, char diag, int n, const T* AP, T* x, int incx) {      \
    GRIDSPAN_RUN(cublas##name##_v2(GRIDSPAN_HANDLE, blas::fill_of(uplo),                         \
                                   blas::operation_of(trans), blas::diagonal_of(diag), n, AP, x, \
                                   incx));                                                       \
  }
#define GRIDSPAN_V1_LEVEL2(letter, T)                                                              \
  void cublas##letter##gemv(char trans, int m, int n, T alpha, const T* A, int lda, const T* x,    \
                            int incx, T beta, T* y, int incy) {                                    \
    GRIDSPAN_RUN(cublas##letter##gemv_v2(GRIDSPAN_HANDLE, blas::operation_of(trans), m, n, &alpha, \
                                         A, lda, x, incx, &beta, y, incy));                        \
  }                                                                                                \
  void cublas##letter##gbmv(char trans, int m, int n, int kl, int ku, T alpha, const T* A,         \
                            int lda, const T* x, int incx, T beta, T* y, int incy) {               \
    GRIDSPAN_RUN(cublas##letter##gbmv_v2(GRIDSPAN_HANDLE, blas::operation_of(trans), m, n, kl, ku, \
                                         &alpha, A, lda, x, incx, &beta, y, incy));                \
  }                                                                                                \
  GRIDSPAN_V1_TRIANGLE(letter##trmv, T)                                                            \
  GRIDSPAN_V1_TRIANGLE(letter##trsv, T)                                                            \
  GRIDSPAN_V1_TRIANGLE_BAND(letter##tbmv, T)                                                       \
  GRIDSPAN_V1_TRIANGLE_BAND(letter##tbsv, T)                                                       \
  GRIDSPAN_V1_TRIANGLE_PACKED(letter##tpmv, T)                                                     \
  GRIDSPAN_V1_TRIANGLE_PACKED(letter##tpsv, T)
#define GRIDSPAN_V1_SYMMETRIC(letter, T, full, bands, packed)                                      \
  void cublas##letter##full(char uplo, int n, T alpha, const T* A, int lda, const T* x, int incx,  \
                            T beta, T* y, int incy) {                                              \
    GRIDSPAN_RUN(cublas##letter##full##_v2(GRIDSPAN_HANDLE, blas::fill_of(uplo), n, &alpha, A,     \
                                           lda, x, incx, &beta, y, incy));                         \
  }                                                                                                \
  void cublas##letter##bands(char uplo, int n, int k, T alpha, const T* A, int lda, const T* x,    \
                             int incx, T beta, T* y, int incy) {                                   \
    GRIDSPAN_RUN(cublas##letter##bands##_v2(GRIDSPAN_HANDLE, blas::fill_of(uplo), n, k, &alpha, A, \
                                            lda, x, incx, &beta, y, incy));                        \
  }                                                                                                \
  void cublas##letter##packed(char uplo, int n, T alpha, const T* AP, const T* x, int incx,        \
                              T beta, T* y, int incy) {                                            \
    GRIDSPAN_RUN(cublas##letter##packed##_v2(GRIDSPAN_HANDLE, blas::fill_of(uplo), n, &alpha, AP,  \
                                             x, incx, &beta, y, incy));                            \
  }
#define GRIDSPAN_V1_GER(name, T)                                                              \
  void cublas##name(int m, int n, T alpha, const T* x, int incx, const T* y, int incy, T* A,  \
                    int lda) {                                                                \
    GRIDSPAN_RUN(cublas##name##_v2(GRIDSPAN_HANDLE, m, n, &alpha, x, incx, y, incy, A, lda)); \
  }
#define GRIDSPAN_V1_UPDATE(letter, T, R, full, packed)                                            \
  void cublas##letter##full(char uplo, int n, R alpha, const T* x, int incx, T* A, int lda) {     \
    GRIDSPAN_RUN(cublas##letter##full##_v2(GRIDSPAN_HANDLE, blas::fill_of(uplo), n, &alpha, x,    \
                                           incx, A, lda));                                        \
  }                                                                                               \
  void cublas##letter##packed(char uplo, int n, R alpha, const T* x, int incx, T* AP) {           \
    GRIDSPAN_RUN(cublas##letter##packed##_v2(GRIDSPAN_HANDLE, blas::fill_of(uplo), n, &alpha, x,  \
                                             incx, AP));                                          \
  }                                                                                               \
  void cublas##letter##full##2(char uplo, int n, T alpha, const T* x, int incx, const T* y,       \
                               int incy, T* A, int lda) {                                         \
    GRIDSPAN_RUN(cublas##letter##full##2_v2(GRIDSPAN_HANDLE, blas::fill_of(uplo), n, &alpha, x,   \
                                            incx, y, incy, A, lda));                              \
  }                                                                                               \
  void cublas##letter##packed##2(char uplo, int n, T alpha, const T* x, int incx, const T* y,     \
                                 int incy, T* AP) {                                               \
    GRIDSPAN_RUN(cublas##letter##packed##2_v2(GRIDSPAN_HANDLE, blas::fill_of(uplo), n, &alpha, x, \
                                              incx, y, incy, AP));                                \
  }
#define GRIDSPAN_V1_RANK_K(name, T, R)                                                         \
  void cublas##name(char uplo, char trans, int n, int k, R alpha, const T* A, int lda, R beta, \
                    T* C, int ldc) {                                                           \
    GRIDSPAN_RUN(cublas##name##_v2(GRIDSPAN_HANDLE, blas::fill_of(uplo),                       \
                                   blas::operation_of(trans), n, k, &alpha, A, lda, &beta, C,  \
                                   ldc));                                                      \
  }
#define GRIDSPAN_V1_RANK_2K(name, T, R)                                                            \
  void cublas##name(char uplo, char trans, int n, int k, T alpha, const T* A, int lda, const T* B, \
                    int ldb, R beta, T* C, int ldc) {                                              \
    GRIDSPAN_RUN(cublas##name##_v2(GRIDSPAN_HANDLE, blas::fill_of(uplo),                           \
                                   blas::operation_of(trans), n, k, &alpha, A, lda, B, ldb, &beta, \
                                   C, ldc));                                                       \
  }
#define GRIDSPAN_V1_SYMM(name, T)                                                                 \
  void cublas##name(char side, char uplo, int m, int n, T alpha, const T* A, int lda, const T* B, \
                    int ldb, T beta, T* C, int ldc) {                                             \
    GRIDSPAN_RUN(cublas##name##_v2(GRIDSPAN_HANDLE, blas::side_of(side), blas::fill_of(uplo), m,  \
                                   n, &alpha, A, lda, B, ldb, &beta, C, ldc));                    \
  }
#define GRIDSPAN_V1_LEVEL3(letter, T)                                                             \
  void cublas##letter##gemm(char transa, char transb, int m, int n, int k, T alpha, const T* A,   \
                            int lda, const T* B, int ldb, T beta, T* C, int ldc) {                \
    GRIDSPAN_RUN(cublas##letter##gemm_v2(GRIDSPAN_HANDLE, blas::operation_of(transa),             \
                                         blas::operation_of(transb), m, n, k, &alpha, A, lda, B,  \
                                         ldb, &beta, C, ldc));                                    \
  }                                                                                               \
  GRIDSPAN_V1_RANK_K(letter##syrk, T, T)                                                          \
  GRIDSPAN_V1_RANK_2K(letter##syr2k, T, T)                                                        \
  GRIDSPAN_V1_SYMM(letter##symm, T)                                                               \
  void cublas##letter##trsm(char side, char uplo, char transa, char diag, int m, int n, T alpha,  \
                            const T* A, int lda, T* B, int ldb) {                                 \
    GRIDSPAN_RUN(cublas##letter##trsm_v2(GRIDSPAN_HANDLE, blas::side_of(side),                    \
                                         blas::fill_of(uplo), blas::operation_of(transa),         \
                                         blas::diagonal_of(diag), m, n, &alpha, A, lda, B, ldb)); \
  }                                                                                               \
  void cublas##letter##trmm(char side, char uplo, char transa, char diag, int m, int n, T alpha,  \
                            const T* A, int lda, T* B, int ldb) {                                 \
    GRIDSPAN_RUN(cublas##letter##trmm_v2(                                                         \
        GRIDSPAN_HANDLE, blas::side_of(side), blas::fill_of(uplo), blas::operation_of(transa),    \
        blas::diagonal_of(diag), m, n, &alpha, A, lda, B, ldb, B, ldb));                          \
  }
#define GRIDSPAN_V1_SD(family) family(S, float) family(D, double)
#define GRIDSPAN_V1_SDCZ(family) \
  GRIDSPAN_V1_SD(family) family(C, cuComplex) family(Z, cuDoubleComplex)

extern "C" {

cublasStatus_t cublasInit() {
  return blas::v1_handle() ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}
cublasStatus_t cublasShutdown() {
  cublasHandle_t handle = nullptr;
  {
    blas::BeforeHandles& state = blas::before_handles();
    const std::lock_guard lock(state.mutex);
    std::swap(handle, state.handle);
  }
  return handle ? cublasDestroy_v2(handle) : CUBLAS_STATUS_NOT_INITIALIZED;
}
cublasStatus_t cublasGetError() {
  blas::BeforeHandles& state = blas::before_handles();
  const std::lock_guard lock(state.mutex);
  const cublasStatus_t status = state.status;
  state.status = CUBLAS_STATUS_SUCCESS;
  return status;
}
cublasStatus_t cublasGetVersion(int* version) { return cublasGetVersion_v2(nullptr, version); }
cublasStatus_t cublasAlloc(int n, int elemSize, void** devicePtr) {
  blas::Check check(__func__);
  check.at_least(n, 1, "n").at_least(elemSize, 1, "elemSize").given(devicePtr, "devicePtr");
  if (check.failed()) return check.status();
  const std::size_t bytes = static_cast<std::size_t>(n) * static_cast<std::size_t>(elemSize);
  return cudaMalloc(devicePtr, bytes) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                     : CUBLAS_STATUS_ALLOC_FAILED;
}
cublasStatus_t cublasFree(void* devicePtr) {
  return cudaFree(devicePtr) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INTERNAL_ERROR;
}
cublasStatus_t cublasSetKernelStream(cudaStream_t stream) {
  return cublasSetStream_v2(blas::v1_handle(), stream);
}

GRIDSPAN_V1_REDUCTION(Snrm2, float, float)
GRIDSPAN_V1_REDUCTION(Dnrm2, double, double)
GRIDSPAN_V1_REDUCTION(Scnrm2, float, cuComplex)
GRIDSPAN_V1_REDUCTION(Dznrm2, double, cuDoubleComplex)
GRIDSPAN_V1_REDUCTION(Sasum, float, float)
GRIDSPAN_V1_REDUCTION(Dasum, double, double)
GRIDSPAN_V1_REDUCTION(Scasum, float, cuComplex)
GRIDSPAN_V1_REDUCTION(Dzasum, double, cuDoubleComplex)
GRIDSPAN_V1_REDUCTION(Isamax, int, float)
GRIDSPAN_V1_REDUCTION(Idamax, int, double)
GRIDSPAN_V1_REDUCTION(Icamax, int, cuComplex)
GRIDSPAN_V1_REDUCTION(Izamax, int, cuDoubleComplex)
GRIDSPAN_V1_REDUCTION(Isamin, int, float)
GRIDSPAN_V1_REDUCTION(Idamin, int, double)
GRIDSPAN_V1_REDUCTION(Icamin, int, cuComplex)
GRIDSPAN_V1_REDUCTION(Izamin, int, cuDoubleComplex)
GRIDSPAN_V1_DOT(Sdot, float)
GRIDSPAN_V1_DOT(Ddot, double)
GRIDSPAN_V1_DOT(Cdotu, cuComplex)
GRIDSPAN_V1_DOT(Cdotc, cuComplex)
GRIDSPAN_V1_DOT(Zdotu, cuDoubleComplex)
GRIDSPAN_V1_DOT(Zdotc, cuDoubleComplex)
GRIDSPAN_V1_SDCZ(GRIDSPAN_V1_VECTORS)
void cublasCsscal(int n, float alpha, cuComplex* x, int incx) {
  GRIDSPAN_RUN(cublasCsscal_v2(GRIDSPAN_HANDLE, n, &alpha, x, incx));
}
void cublasZdscal(int n, double alpha, cuDoubleComplex* x, int incx) {
  GRIDSPAN_RUN(cublasZdscal_v2(GRIDSPAN_HANDLE, n, &alpha, x, incx));
}
GRIDSPAN_V1_SD(GRIDSPAN_V1_ROTATIONS)
GRIDSPAN_V1_ROT(Crot, float, cuComplex, cuComplex)
GRIDSPAN_V1_ROT(Csrot, float, float, cuComplex)
GRIDSPAN_V1_ROT(Zrot, double, cuDoubleComplex, cuDoubleComplex)
GRIDSPAN_V1_ROT(Zdrot, double, double, cuDoubleComplex)
void cublasCrotg(cuComplex* a, cuComplex b, float* c, cuComplex* s) {
  GRIDSPAN_RUN(cublasCrotg_v2(GRIDSPAN_HANDLE, a, &b, c, s));
}
void cublasZrotg(cuDoubleComplex* a, cuDoubleComplex b, double* c, cuDoubleComplex* s) {
  GRIDSPAN_RUN(cublasZrotg_v2(GRIDSPAN_HANDLE, a, &b, c, s));
}
GRIDSPAN_V1_SDCZ(GRIDSPAN_V1_LEVEL2)
GRIDSPAN_V1_SYMMETRIC(S, float, symv, sbmv, spmv)
GRIDSPAN_V1_SYMMETRIC(D, double, symv, sbmv, spmv)
GRIDSPAN_V1_SYMMETRIC(C, cuComplex, hemv, hbmv, hpmv)
GRIDSPAN_V1_SYMMETRIC(Z, cuDoubleComplex, hemv, hbmv, hpmv)
GRIDSPAN_V1_GER(Sger, float)
GRIDSPAN_V1_GER(Dger, double)
GRIDSPAN_V1_GER(Cgeru, cuComplex)
GRIDSPAN_V1_GER(Cgerc, cuComplex)
GRIDSPAN_V1_GER(Zgeru, cuDoubleComplex)
GRIDSPAN_V1_GER(Zgerc, cuDoubleComplex)
GRIDSPAN_V1_UPDATE(S, float, float, syr, spr)
GRIDSPAN_V1_UPDATE(D, double, double, syr, spr)
GRIDSPAN_V1_UPDATE(C, cuComplex, float, her, hpr)
GRIDSPAN_V1_UPDATE(Z, cuDoubleComplex, double, her, hpr)
GRIDSPAN_V1_SDCZ(GRIDSPAN_V1_LEVEL3)
GRIDSPAN_V1_RANK_K(Cherk, cuComplex, float)
GRIDSPAN_V1_RANK_K(Zherk, cuDoubleComplex, double)
GRIDSPAN_V1_RANK_2K(Cher2k, cuComplex, float)
GRIDSPAN_V1_RANK_2K(Zher2k, cuDoubleComplex, double)
GRIDSPAN_V1_SYMM(Chemm, cuComplex)
GRIDSPAN_V1_SYMM(Zhemm, cuDoubleComplex)

}  // extern "C"
