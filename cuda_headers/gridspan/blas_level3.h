// cuBLAS, level 3: matrices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "blas_families.h"
#include "blas_types.h"

/* C = alpha op(A) op(A)^T + beta C, the same of A and B and B and A, and of A and B for a result
   that the caller knows to be symmetric. */
#define GRIDSPAN_BLAS_SYRK(letter, T, w, I)                                           \
  GRIDSPAN_BLAS(cublas##letter##syrk_v2##w)                                           \
  (cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, I n, I k,   \
   const T* alpha, const T* A, I lda, const T* beta, T* C, I ldc);                    \
  GRIDSPAN_BLAS(cublas##letter##syr2k_v2##w)                                          \
  (cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, I n, I k,   \
   const T* alpha, const T* A, I lda, const T* B, I ldb, const T* beta, T* C, I ldc); \
  GRIDSPAN_BLAS(cublas##letter##syrkx##w)                                             \
  (cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, I n, I k,   \
   const T* alpha, const T* A, I lda, const T* B, I ldb, const T* beta, T* C, I ldc);
GRIDSPAN_BLAS_SDCZ(GRIDSPAN_BLAS_SYRK)
#undef GRIDSPAN_BLAS_SYRK

#define GRIDSPAN_BLAS_HERK(letter, T, w, I, R)                                        \
  GRIDSPAN_BLAS(cublas##letter##herk_v2##w)                                           \
  (cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, I n, I k,   \
   const R* alpha, const T* A, I lda, const R* beta, T* C, I ldc);                    \
  GRIDSPAN_BLAS(cublas##letter##her2k_v2##w)                                          \
  (cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, I n, I k,   \
   const T* alpha, const T* A, I lda, const T* B, I ldb, const R* beta, T* C, I ldc); \
  GRIDSPAN_BLAS(cublas##letter##herkx##w)                                             \
  (cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, I n, I k,   \
   const T* alpha, const T* A, I lda, const T* B, I ldb, const R* beta, T* C, I ldc);
GRIDSPAN_BLAS_CZ_REAL(GRIDSPAN_BLAS_HERK)
#undef GRIDSPAN_BLAS_HERK

#define GRIDSPAN_BLAS_RANK_K_EX(w, I)                                                        \
  GRIDSPAN_BLAS(cublasCsyrkEx##w)                                                            \
  (cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, I n, I k,          \
   const cuComplex* alpha, const void* A, cudaDataType Atype, I lda, const cuComplex* beta,  \
   void* C, cudaDataType Ctype, I ldc);                                                      \
  GRIDSPAN_BLAS(cublasCsyrk3mEx##w)                                                          \
  (cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, I n, I k,          \
   const cuComplex* alpha, const void* A, cudaDataType Atype, I lda, const cuComplex* beta,  \
   void* C, cudaDataType Ctype, I ldc);                                                      \
  GRIDSPAN_BLAS(cublasCherkEx##w)                                                            \
  (cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, I n, I k,          \
   const float* alpha, const void* A, cudaDataType Atype, I lda, const float* beta, void* C, \
   cudaDataType Ctype, I ldc);                                                               \
  GRIDSPAN_BLAS(cublasCherk3mEx##w)                                                          \
  (cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, I n, I k,          \
   const float* alpha, const void* A, cudaDataType Atype, I lda, const float* beta, void* C, \
   cudaDataType Ctype, I ldc);
GRIDSPAN_BLAS_RANK_K_EX(, int)
GRIDSPAN_BLAS_RANK_K_EX(_64, int64_t)
#undef GRIDSPAN_BLAS_RANK_K_EX

#define GRIDSPAN_BLAS_SYMM(routine, T, w, I)                                                      \
  GRIDSPAN_BLAS(cublas##routine##_v2##w)                                                          \
  (cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, I m, I n, const T* alpha, \
   const T* A, I lda, const T* B, I ldb, const T* beta, T* C, I ldc);
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_SYMM, Ssymm, float)
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_SYMM, Dsymm, double)
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_SYMM, Csymm, cuComplex)
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_SYMM, Zsymm, cuDoubleComplex)
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_SYMM, Chemm, cuComplex)
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_SYMM, Zhemm, cuDoubleComplex)
#undef GRIDSPAN_BLAS_SYMM

/* The product with a triangular matrix has a result of its own; the solution takes the place of B.
 */
#define GRIDSPAN_BLAS_TRIANGULAR(letter, T, w, I)                                                \
  GRIDSPAN_BLAS(cublas##letter##trmm_v2##w)                                                      \
  (cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, \
   cublasDiagType_t diag, I m, I n, const T* alpha, const T* A, I lda, const T* B, I ldb, T* C,  \
   I ldc);                                                                                       \
  GRIDSPAN_BLAS(cublas##letter##trsm_v2##w)                                                      \
  (cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, \
   cublasDiagType_t diag, I m, I n, const T* alpha, const T* A, I lda, T* B, I ldb);             \
  GRIDSPAN_BLAS(cublas##letter##trsmBatched##w)                                                  \
  (cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, \
   cublasDiagType_t diag, I m, I n, const T* alpha, const T* const A[], I lda, T* const B[],     \
   I ldb, I batchCount);
GRIDSPAN_BLAS_SDCZ(GRIDSPAN_BLAS_TRIANGULAR)
#undef GRIDSPAN_BLAS_TRIANGULAR

#include "blas_families_end.h"
