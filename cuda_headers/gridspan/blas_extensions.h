// cuBLAS: sums and scalings of matrices, packed triangles, and factors of many small matrices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "blas_families.h"
#include "blas_types.h"

#define GRIDSPAN_BLAS_MATRICES(letter, T, w, I)                                                   \
  GRIDSPAN_BLAS(cublas##letter##geam##w)                                                          \
  (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, I n,           \
   const T* alpha, const T* A, I lda, const T* beta, const T* B, I ldb, T* C, I ldc);             \
  GRIDSPAN_BLAS(cublas##letter##dgmm##w)                                                          \
  (cublasHandle_t handle, cublasSideMode_t mode, I m, I n, const T* A, I lda, const T* x, I incx, \
   T* C, I ldc);
GRIDSPAN_BLAS_SDCZ(GRIDSPAN_BLAS_MATRICES)
#undef GRIDSPAN_BLAS_MATRICES

#define GRIDSPAN_BLAS_FACTORS(letter, T)                                                           \
  GRIDSPAN_BLAS(cublas##letter##getrfBatched)                                                      \
  (cublasHandle_t handle, int n, T* const A[], int lda, int* P, int* info, int batchSize);         \
  GRIDSPAN_BLAS(cublas##letter##getriBatched)                                                      \
  (cublasHandle_t handle, int n, const T* const A[], int lda, const int* P, T* const C[], int ldc, \
   int* info, int batchSize);                                                                      \
  GRIDSPAN_BLAS(cublas##letter##getrsBatched)                                                      \
  (cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs, const T* const Aarray[],       \
   int lda, const int* devIpiv, T* const Barray[], int ldb, int* info, int batchSize);             \
  GRIDSPAN_BLAS(cublas##letter##matinvBatched)                                                     \
  (cublasHandle_t handle, int n, const T* const A[], int lda, T* const Ainv[], int lda_inv,        \
   int* info, int batchSize);                                                                      \
  GRIDSPAN_BLAS(cublas##letter##geqrfBatched)                                                      \
  (cublasHandle_t handle, int m, int n, T* const Aarray[], int lda, T* const TauArray[],           \
   int* info, int batchSize);                                                                      \
  GRIDSPAN_BLAS(cublas##letter##gelsBatched)                                                       \
  (cublasHandle_t handle, cublasOperation_t trans, int m, int n, int nrhs, T* const Aarray[],      \
   int lda, T* const Carray[], int ldc, int* info, int* devInfoArray, int batchSize);              \
  GRIDSPAN_BLAS(cublas##letter##tpttr)                                                             \
  (cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* AP, T* A, int lda);               \
  GRIDSPAN_BLAS(cublas##letter##trttp)                                                             \
  (cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* A, int lda, T* AP);
GRIDSPAN_BLAS_INT_SDCZ(GRIDSPAN_BLAS_FACTORS)
#undef GRIDSPAN_BLAS_FACTORS

#include "blas_families_end.h"
