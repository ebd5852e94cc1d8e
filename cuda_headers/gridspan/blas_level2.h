// cuBLAS, level 2: matrices and vectors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../cuda_bf16.h"
#include "../cuda_fp16.h"
#include "blas_families.h"
#include "blas_types.h"

#define GRIDSPAN_BLAS_GENERAL(letter, T, w, I)                                                  \
  GRIDSPAN_BLAS(cublas##letter##gemv_v2##w)                                                     \
  (cublasHandle_t handle, cublasOperation_t trans, I m, I n, const T* alpha, const T* A, I lda, \
   const T* x, I incx, const T* beta, T* y, I incy);                                            \
  GRIDSPAN_BLAS(cublas##letter##gbmv_v2##w)                                                     \
  (cublasHandle_t handle, cublasOperation_t trans, I m, I n, I kl, I ku, const T* alpha,        \
   const T* A, I lda, const T* x, I incx, const T* beta, T* y, I incy);
GRIDSPAN_BLAS_SDCZ(GRIDSPAN_BLAS_GENERAL)
#undef GRIDSPAN_BLAS_GENERAL

#define GRIDSPAN_BLAS_TRIANGULAR(letter, T, w, I)                                                \
  GRIDSPAN_BLAS(cublas##letter##trmv_v2##w)                                                      \
  (cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, \
   I n, const T* A, I lda, T* x, I incx);                                                        \
  GRIDSPAN_BLAS(cublas##letter##tbmv_v2##w)                                                      \
  (cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, \
   I n, I k, const T* A, I lda, T* x, I incx);                                                   \
  GRIDSPAN_BLAS(cublas##letter##tpmv_v2##w)                                                      \
  (cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, \
   I n, const T* AP, T* x, I incx);                                                              \
  GRIDSPAN_BLAS(cublas##letter##trsv_v2##w)                                                      \
  (cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, \
   I n, const T* A, I lda, T* x, I incx);                                                        \
  GRIDSPAN_BLAS(cublas##letter##tbsv_v2##w)                                                      \
  (cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, \
   I n, I k, const T* A, I lda, T* x, I incx);                                                   \
  GRIDSPAN_BLAS(cublas##letter##tpsv_v2##w)                                                      \
  (cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, \
   I n, const T* AP, T* x, I incx);
GRIDSPAN_BLAS_SDCZ(GRIDSPAN_BLAS_TRIANGULAR)
#undef GRIDSPAN_BLAS_TRIANGULAR

/* A symmetric or Hermitian matrix: in full, in bands, packed. */
#define GRIDSPAN_BLAS_FULL(routine, T, w, I)                                             \
  GRIDSPAN_BLAS(cublas##routine##_v2##w)                                                 \
  (cublasHandle_t handle, cublasFillMode_t uplo, I n, const T* alpha, const T* A, I lda, \
   const T* x, I incx, const T* beta, T* y, I incy);
#define GRIDSPAN_BLAS_BANDS(routine, T, w, I)                                                 \
  GRIDSPAN_BLAS(cublas##routine##_v2##w)                                                      \
  (cublasHandle_t handle, cublasFillMode_t uplo, I n, I k, const T* alpha, const T* A, I lda, \
   const T* x, I incx, const T* beta, T* y, I incy);
#define GRIDSPAN_BLAS_PACKED(routine, T, w, I)                                                 \
  GRIDSPAN_BLAS(cublas##routine##_v2##w)                                                       \
  (cublasHandle_t handle, cublasFillMode_t uplo, I n, const T* alpha, const T* AP, const T* x, \
   I incx, const T* beta, T* y, I incy);
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_FULL, Ssymv, float)
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_FULL, Dsymv, double)
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_FULL, Csymv, cuComplex)
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_FULL, Zsymv, cuDoubleComplex)
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_FULL, Chemv, cuComplex)
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_FULL, Zhemv, cuDoubleComplex)
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_BANDS, Ssbmv, float)
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_BANDS, Dsbmv, double)
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_BANDS, Chbmv, cuComplex)
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_BANDS, Zhbmv, cuDoubleComplex)
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_PACKED, Sspmv, float)
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_PACKED, Dspmv, double)
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_PACKED, Chpmv, cuComplex)
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_PACKED, Zhpmv, cuDoubleComplex)
#undef GRIDSPAN_BLAS_FULL
#undef GRIDSPAN_BLAS_BANDS
#undef GRIDSPAN_BLAS_PACKED

/* Outer products are added to a general matrix ... */
#define GRIDSPAN_BLAS_GER(routine, T, w, I)                                                       \
  GRIDSPAN_BLAS(cublas##routine##_v2##w)                                                          \
  (cublasHandle_t handle, I m, I n, const T* alpha, const T* x, I incx, const T* y, I incy, T* A, \
   I lda);
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_GER, Sger, float)
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_GER, Dger, double)
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_GER, Cgeru, cuComplex)
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_GER, Cgerc, cuComplex)
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_GER, Zgeru, cuDoubleComplex)
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_GER, Zgerc, cuDoubleComplex)
#undef GRIDSPAN_BLAS_GER

/* ... and to a symmetric or Hermitian one: of one vector with itself, of two. */
#define GRIDSPAN_BLAS_SYR(letter, T, w, I)                                                      \
  GRIDSPAN_BLAS(cublas##letter##syr_v2##w)                                                      \
  (cublasHandle_t handle, cublasFillMode_t uplo, I n, const T* alpha, const T* x, I incx, T* A, \
   I lda);                                                                                      \
  GRIDSPAN_BLAS(cublas##letter##syr2_v2##w)                                                     \
  (cublasHandle_t handle, cublasFillMode_t uplo, I n, const T* alpha, const T* x, I incx,       \
   const T* y, I incy, T* A, I lda);
GRIDSPAN_BLAS_SDCZ(GRIDSPAN_BLAS_SYR)
#undef GRIDSPAN_BLAS_SYR
#define GRIDSPAN_BLAS_SPR(letter, T, w, I)                                                        \
  GRIDSPAN_BLAS(cublas##letter##spr_v2##w)                                                        \
  (cublasHandle_t handle, cublasFillMode_t uplo, I n, const T* alpha, const T* x, I incx, T* AP); \
  GRIDSPAN_BLAS(cublas##letter##spr2_v2##w)                                                       \
  (cublasHandle_t handle, cublasFillMode_t uplo, I n, const T* alpha, const T* x, I incx,         \
   const T* y, I incy, T* AP);
GRIDSPAN_BLAS_SD(GRIDSPAN_BLAS_SPR)
#undef GRIDSPAN_BLAS_SPR
#define GRIDSPAN_BLAS_HER(letter, T, w, I, R)                                                     \
  GRIDSPAN_BLAS(cublas##letter##her_v2##w)                                                        \
  (cublasHandle_t handle, cublasFillMode_t uplo, I n, const R* alpha, const T* x, I incx, T* A,   \
   I lda);                                                                                        \
  GRIDSPAN_BLAS(cublas##letter##her2_v2##w)                                                       \
  (cublasHandle_t handle, cublasFillMode_t uplo, I n, const T* alpha, const T* x, I incx,         \
   const T* y, I incy, T* A, I lda);                                                              \
  GRIDSPAN_BLAS(cublas##letter##hpr_v2##w)                                                        \
  (cublasHandle_t handle, cublasFillMode_t uplo, I n, const R* alpha, const T* x, I incx, T* AP); \
  GRIDSPAN_BLAS(cublas##letter##hpr2_v2##w)                                                       \
  (cublasHandle_t handle, cublasFillMode_t uplo, I n, const T* alpha, const T* x, I incx,         \
   const T* y, I incy, T* AP);
GRIDSPAN_BLAS_CZ_REAL(GRIDSPAN_BLAS_HER)
#undef GRIDSPAN_BLAS_HER

/* Many products at once. */
#define GRIDSPAN_BLAS_GEMV_BATCHED(routine, T, U, R, w, I)                                        \
  GRIDSPAN_BLAS(cublas##routine##gemvBatched##w)                                                  \
  (cublasHandle_t handle, cublasOperation_t trans, I m, I n, const R* alpha,                      \
   const T* const Aarray[], I lda, const T* const xarray[], I incx, const R* beta,                \
   U* const yarray[], I incy, I batchCount);                                                      \
  GRIDSPAN_BLAS(cublas##routine##gemvStridedBatched##w)                                           \
  (cublasHandle_t handle, cublasOperation_t trans, I m, I n, const R* alpha, const T* A, I lda,   \
   long long int strideA, const T* x, I incx, long long int stridex, const R* beta, U* y, I incy, \
   long long int stridey, I batchCount);
#define GRIDSPAN_BLAS_GEMV_BATCHES(w, I)                                                 \
  GRIDSPAN_BLAS_GEMV_BATCHED(S, float, float, float, w, I)                               \
  GRIDSPAN_BLAS_GEMV_BATCHED(D, double, double, double, w, I)                            \
  GRIDSPAN_BLAS_GEMV_BATCHED(C, cuComplex, cuComplex, cuComplex, w, I)                   \
  GRIDSPAN_BLAS_GEMV_BATCHED(Z, cuDoubleComplex, cuDoubleComplex, cuDoubleComplex, w, I) \
  GRIDSPAN_BLAS_GEMV_BATCHED(HSH, __half, __half, float, w, I)                           \
  GRIDSPAN_BLAS_GEMV_BATCHED(HSS, __half, float, float, w, I)                            \
  GRIDSPAN_BLAS_GEMV_BATCHED(TST, __nv_bfloat16, __nv_bfloat16, float, w, I)             \
  GRIDSPAN_BLAS_GEMV_BATCHED(TSS, __nv_bfloat16, float, float, w, I)
GRIDSPAN_BLAS_GEMV_BATCHES(, int)
GRIDSPAN_BLAS_GEMV_BATCHES(_64, int64_t)
#undef GRIDSPAN_BLAS_GEMV_BATCHES
#undef GRIDSPAN_BLAS_GEMV_BATCHED

#include "blas_families_end.h"
