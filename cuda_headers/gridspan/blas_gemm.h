// cuBLAS: products of general matrices, of all element types, batched and grouped.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../cuda_bf16.h"
#include "../cuda_fp16.h"
#include "blas_families.h"
#include "blas_types.h"

#define GRIDSPAN_BLAS_GEMM(routine, T, w, I)                                                 \
  GRIDSPAN_BLAS(cublas##routine##w)                                                          \
  (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, I n, I k, \
   const T* alpha, const T* A, I lda, const T* B, I ldb, const T* beta, T* C, I ldc);
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_GEMM, Hgemm, __half)
GRIDSPAN_BLAS_GEMM(Sgemm_v2, float, , int)
GRIDSPAN_BLAS_GEMM(Sgemm_v2, float, _64, int64_t)
GRIDSPAN_BLAS_GEMM(Dgemm_v2, double, , int)
GRIDSPAN_BLAS_GEMM(Dgemm_v2, double, _64, int64_t)
GRIDSPAN_BLAS_GEMM(Cgemm_v2, cuComplex, , int)
GRIDSPAN_BLAS_GEMM(Cgemm_v2, cuComplex, _64, int64_t)
GRIDSPAN_BLAS_GEMM(Zgemm_v2, cuDoubleComplex, , int)
GRIDSPAN_BLAS_GEMM(Zgemm_v2, cuDoubleComplex, _64, int64_t)
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_GEMM, Cgemm3m, cuComplex)
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_GEMM, Zgemm3m, cuDoubleComplex)
#undef GRIDSPAN_BLAS_GEMM

#define GRIDSPAN_BLAS_GEMM_BATCHED(routine, T, w, I)                                              \
  GRIDSPAN_BLAS(cublas##routine##Batched##w)                                                      \
  (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, I n, I k,      \
   const T* alpha, const T* const Aarray[], I lda, const T* const Barray[], I ldb, const T* beta, \
   T* const Carray[], I ldc, I batchCount);                                                       \
  GRIDSPAN_BLAS(cublas##routine##StridedBatched##w)                                               \
  (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, I n, I k,      \
   const T* alpha, const T* A, I lda, long long int strideA, const T* B, I ldb,                   \
   long long int strideB, const T* beta, T* C, I ldc, long long int strideC, I batchCount);
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_GEMM_BATCHED, Hgemm, __half)
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_GEMM_BATCHED, Sgemm, float)
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_GEMM_BATCHED, Dgemm, double)
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_GEMM_BATCHED, Cgemm, cuComplex)
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_GEMM_BATCHED, Zgemm, cuDoubleComplex)
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_GEMM_BATCHED, Cgemm3m, cuComplex)
#undef GRIDSPAN_BLAS_GEMM_BATCHED

/* Arrays of sizes, one for each group of products of the same size. */
#define GRIDSPAN_BLAS_GEMM_GROUPED(letter, T, w, I)                                        \
  GRIDSPAN_BLAS(cublas##letter##gemmGroupedBatched##w)                                     \
  (cublasHandle_t handle, const cublasOperation_t transa_array[],                          \
   const cublasOperation_t transb_array[], const I m_array[], const I n_array[],           \
   const I k_array[], const T alpha_array[], const T* const Aarray[], const I lda_array[], \
   const T* const Barray[], const I ldb_array[], const T beta_array[], T* const Carray[],  \
   const I ldc_array[], I group_count, const I group_size[]);
GRIDSPAN_BLAS_SD(GRIDSPAN_BLAS_GEMM_GROUPED)
#undef GRIDSPAN_BLAS_GEMM_GROUPED

/* Element types as arguments. */
#define GRIDSPAN_BLAS_GEMM_OF_TYPES(routine, scalar, w, I)                                   \
  GRIDSPAN_BLAS(routine##w)                                                                  \
  (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, I n, I k, \
   const scalar* alpha, const void* A, cudaDataType Atype, I lda, const void* B,             \
   cudaDataType Btype, I ldb, const scalar* beta, void* C, cudaDataType Ctype, I ldc);
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_GEMM_OF_TYPES, cublasSgemmEx, float)
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_GEMM_OF_TYPES, cublasCgemmEx, cuComplex)
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_GEMM_OF_TYPES, cublasCgemm3mEx, cuComplex)
#undef GRIDSPAN_BLAS_GEMM_OF_TYPES

#define GRIDSPAN_BLAS_GEMM_EX(w, I)                                                                \
  GRIDSPAN_BLAS(cublasGemmEx##w)                                                                   \
  (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, I n, I k,       \
   const void* alpha, const void* A, cudaDataType Atype, I lda, const void* B, cudaDataType Btype, \
   I ldb, const void* beta, void* C, cudaDataType Ctype, I ldc, cublasComputeType_t computeType,   \
   cublasGemmAlgo_t algo);                                                                         \
  GRIDSPAN_BLAS(cublasGemmBatchedEx##w)                                                            \
  (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, I n, I k,       \
   const void* alpha, const void* const Aarray[], cudaDataType Atype, I lda,                       \
   const void* const Barray[], cudaDataType Btype, I ldb, const void* beta, void* const Carray[],  \
   cudaDataType Ctype, I ldc, I batchCount, cublasComputeType_t computeType,                       \
   cublasGemmAlgo_t algo);                                                                         \
  GRIDSPAN_BLAS(cublasGemmStridedBatchedEx##w)                                                     \
  (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, I n, I k,       \
   const void* alpha, const void* A, cudaDataType Atype, I lda, long long int strideA,             \
   const void* B, cudaDataType Btype, I ldb, long long int strideB, const void* beta, void* C,     \
   cudaDataType Ctype, I ldc, long long int strideC, I batchCount,                                 \
   cublasComputeType_t computeType, cublasGemmAlgo_t algo);                                        \
  GRIDSPAN_BLAS(cublasGemmGroupedBatchedEx##w)                                                     \
  (cublasHandle_t handle, const cublasOperation_t transa_array[],                                  \
   const cublasOperation_t transb_array[], const I m_array[], const I n_array[],                   \
   const I k_array[], const void* alpha_array, const void* const Aarray[], cudaDataType_t Atype,   \
   const I lda_array[], const void* const Barray[], cudaDataType_t Btype, const I ldb_array[],     \
   const void* beta_array, void* const Carray[], cudaDataType_t Ctype, const I ldc_array[],        \
   I group_count, const I group_size[], cublasComputeType_t computeType);
GRIDSPAN_BLAS_GEMM_EX(, int)
GRIDSPAN_BLAS_GEMM_EX(_64, int64_t)
#undef GRIDSPAN_BLAS_GEMM_EX

/* Bytes: C = (A - bias) (B - bias) times a number, shifted right. */
GRIDSPAN_BLAS(cublasUint8gemmBias)(cublasHandle_t handle, cublasOperation_t transa,
                                   cublasOperation_t transb, cublasOperation_t transc, int m, int n,
                                   int k, const unsigned char* A, int A_bias, int lda,
                                   const unsigned char* B, int B_bias, int ldb, unsigned char* C,
                                   int C_bias, int ldc, int C_mult, int C_shift);

#include "blas_families_end.h"
