// Linear algebra (cublasXt): products of matrices in host memory, cut into tiles for several
// devices. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#define CUBLAS_XT_H_

#include "cublas_v2.h"

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct cublasXtContext* cublasXtHandle_t;

typedef enum {
  CUBLASXT_PINNING_DISABLED = 0,
  CUBLASXT_PINNING_ENABLED = 1
} cublasXtPinnedMemMode_t;

typedef enum {
  CUBLASXT_FLOAT = 0,
  CUBLASXT_DOUBLE = 1,
  CUBLASXT_COMPLEX = 2,
  CUBLASXT_DOUBLECOMPLEX = 3
} cublasXtOpType_t;

typedef enum {
  CUBLASXT_GEMM = 0,
  CUBLASXT_SYRK = 1,
  CUBLASXT_HERK = 2,
  CUBLASXT_SYMM = 3,
  CUBLASXT_HEMM = 4,
  CUBLASXT_TRSM = 5,
  CUBLASXT_SYR2K = 6,
  CUBLASXT_HER2K = 7,
  CUBLASXT_SPMM = 8,
  CUBLASXT_SYRKX = 9,
  CUBLASXT_HERKX = 10,
  CUBLASXT_TRMM = 11,
  CUBLASXT_ROUTINE_MAX = 12
} cublasXtBlasOp_t;

cublasStatus_t cublasXtCreate(cublasXtHandle_t* handle);
cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle);
cublasStatus_t cublasXtGetNumBoards(int nbDevices, int deviceId[], int* nbBoards);
cublasStatus_t cublasXtMaxBoards(int* nbGpuBoards);
cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int nbDevices, int deviceId[]);
cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t handle, int blockDim);
cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t handle, int* blockDim);
cublasStatus_t cublasXtGetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t* mode);
cublasStatus_t cublasXtSetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t mode);
cublasStatus_t cublasXtSetCpuRoutine(cublasXtHandle_t handle, cublasXtBlasOp_t blasOp,
                                     cublasXtOpType_t type, void* blasFunctor);
cublasStatus_t cublasXtSetCpuRatio(cublasXtHandle_t handle, cublasXtBlasOp_t blasOp,
                                   cublasXtOpType_t type, float ratio);

#define GRIDSPAN_XT(letter, T)                                                                     \
  cublasStatus_t cublasXt##letter##gemm(cublasXtHandle_t handle, cublasOperation_t transa,         \
                                        cublasOperation_t transb, size_t m, size_t n, size_t k,    \
                                        const T* alpha, const T* A, size_t lda, const T* B,        \
                                        size_t ldb, const T* beta, T* C, size_t ldc);              \
  cublasStatus_t cublasXt##letter##syrk(                                                           \
      cublasXtHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, size_t n, size_t k, \
      const T* alpha, const T* A, size_t lda, const T* beta, T* C, size_t ldc);                    \
  cublasStatus_t cublasXt##letter##syr2k(cublasXtHandle_t handle, cublasFillMode_t uplo,           \
                                         cublasOperation_t trans, size_t n, size_t k,              \
                                         const T* alpha, const T* A, size_t lda, const T* B,       \
                                         size_t ldb, const T* beta, T* C, size_t ldc);             \
  cublasStatus_t cublasXt##letter##syrkx(cublasXtHandle_t handle, cublasFillMode_t uplo,           \
                                         cublasOperation_t trans, size_t n, size_t k,              \
                                         const T* alpha, const T* A, size_t lda, const T* B,       \
                                         size_t ldb, const T* beta, T* C, size_t ldc);             \
  cublasStatus_t cublasXt##letter##symm(cublasXtHandle_t handle, cublasSideMode_t side,            \
                                        cublasFillMode_t uplo, size_t m, size_t n, const T* alpha, \
                                        const T* A, size_t lda, const T* B, size_t ldb,            \
                                        const T* beta, T* C, size_t ldc);                          \
  cublasStatus_t cublasXt##letter##spmm(                                                           \
      cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, size_t m, size_t n,   \
      const T* alpha, const T* AP, const T* B, size_t ldb, const T* beta, T* C, size_t ldc);       \
  cublasStatus_t cublasXt##letter##trsm(cublasXtHandle_t handle, cublasSideMode_t side,            \
                                        cublasFillMode_t uplo, cublasOperation_t trans,            \
                                        cublasDiagType_t diag, size_t m, size_t n, const T* alpha, \
                                        const T* A, size_t lda, T* B, size_t ldb);                 \
  cublasStatus_t cublasXt##letter##trmm(                                                           \
      cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,                       \
      cublasOperation_t trans, cublasDiagType_t diag, size_t m, size_t n, const T* alpha,          \
      const T* A, size_t lda, const T* B, size_t ldb, T* C, size_t ldc);
GRIDSPAN_XT(S, float)
GRIDSPAN_XT(D, double)
GRIDSPAN_XT(C, cuComplex)
GRIDSPAN_XT(Z, cuDoubleComplex)
#undef GRIDSPAN_XT

#define GRIDSPAN_XT_HERMITIAN(letter, T, R)                                                        \
  cublasStatus_t cublasXt##letter##herk(                                                           \
      cublasXtHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, size_t n, size_t k, \
      const R* alpha, const T* A, size_t lda, const R* beta, T* C, size_t ldc);                    \
  cublasStatus_t cublasXt##letter##her2k(cublasXtHandle_t handle, cublasFillMode_t uplo,           \
                                         cublasOperation_t trans, size_t n, size_t k,              \
                                         const T* alpha, const T* A, size_t lda, const T* B,       \
                                         size_t ldb, const R* beta, T* C, size_t ldc);             \
  cublasStatus_t cublasXt##letter##herkx(cublasXtHandle_t handle, cublasFillMode_t uplo,           \
                                         cublasOperation_t trans, size_t n, size_t k,              \
                                         const T* alpha, const T* A, size_t lda, const T* B,       \
                                         size_t ldb, const R* beta, T* C, size_t ldc);             \
  cublasStatus_t cublasXt##letter##hemm(cublasXtHandle_t handle, cublasSideMode_t side,            \
                                        cublasFillMode_t uplo, size_t m, size_t n, const T* alpha, \
                                        const T* A, size_t lda, const T* B, size_t ldb,            \
                                        const T* beta, T* C, size_t ldc);
GRIDSPAN_XT_HERMITIAN(C, cuComplex, float)
GRIDSPAN_XT_HERMITIAN(Z, cuDoubleComplex, double)
#undef GRIDSPAN_XT_HERMITIAN

#if defined(__cplusplus)
}
#endif
