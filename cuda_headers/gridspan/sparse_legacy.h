// cuSPARSE: products of matrices in blocks, and systems with triangular matrices in blocks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sparse_types.h"

#define GRIDSPAN_SPARSE_PRODUCTS(letter, T)                                                       \
  GRIDSPAN_SPARSE(cusparse##letter##gemvi_bufferSize)                                             \
  (cusparseHandle_t handle, cusparseOperation_t transA, int m, int n, int nnz, int* pBufferSize); \
  GRIDSPAN_SPARSE(cusparse##letter##gemvi)                                                        \
  (cusparseHandle_t handle, cusparseOperation_t transA, int m, int n, const T* alpha, const T* A, \
   int lda, int nnz, const T* xVal, const int* xInd, const T* beta, T* y,                         \
   cusparseIndexBase_t idxBase, void* pBuffer);                                                   \
  GRIDSPAN_SPARSE(cusparse##letter##bsrmv)                                                        \
  (cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA, int mb, int nb, \
   int nnzb, const T* alpha, const cusparseMatDescr_t descrA, const T* bsrVal,                    \
   const int* bsrRowPtr, const int* bsrColInd, int blockDim, const T* x, const T* beta, T* y);    \
  GRIDSPAN_SPARSE(cusparse##letter##bsrxmv)                                                       \
  (cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA, int sizeOfMask, \
   int mb, int nb, int nnzb, const T* alpha, const cusparseMatDescr_t descrA, const T* bsrVal,    \
   const int* bsrMaskPtr, const int* bsrRowPtr, const int* bsrEndPtr, const int* bsrColInd,       \
   int blockDim, const T* x, const T* beta, T* y);                                                \
  GRIDSPAN_SPARSE(cusparse##letter##bsrmm)                                                        \
  (cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA,                 \
   cusparseOperation_t transB, int mb, int n, int kb, int nnzb, const T* alpha,                   \
   const cusparseMatDescr_t descrA, const T* bsrVal, const int* bsrRowPtr, const int* bsrColInd,  \
   const int blockSize, const T* B, const int ldb, const T* beta, T* C, int ldc);
GRIDSPAN_SPARSE_SDCZ(GRIDSPAN_SPARSE_PRODUCTS)
#undef GRIDSPAN_SPARSE_PRODUCTS

GRIDSPAN_SPARSE(cusparseXbsrsv2_zeroPivot)(cusparseHandle_t handle, bsrsv2Info_t info,
                                           int* position);
#define GRIDSPAN_SPARSE_BSRSV2(letter, T)                                                         \
  GRIDSPAN_SPARSE(cusparse##letter##bsrsv2_bufferSize)                                            \
  (cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA, int mb,         \
   int nnzb, const cusparseMatDescr_t descrA, T* bsrVal, const int* bsrRowPtr,                    \
   const int* bsrColInd, int blockDim, bsrsv2Info_t info, int* pBufferSizeInBytes);               \
  GRIDSPAN_SPARSE(cusparse##letter##bsrsv2_bufferSizeExt)                                         \
  (cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA, int mb,         \
   int nnzb, const cusparseMatDescr_t descrA, T* bsrVal, const int* bsrRowPtr,                    \
   const int* bsrColInd, int blockSize, bsrsv2Info_t info, size_t* pBufferSize);                  \
  GRIDSPAN_SPARSE(cusparse##letter##bsrsv2_analysis)                                              \
  (cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA, int mb,         \
   int nnzb, const cusparseMatDescr_t descrA, const T* bsrVal, const int* bsrRowPtr,              \
   const int* bsrColInd, int blockDim, bsrsv2Info_t info, cusparseSolvePolicy_t policy,           \
   void* pBuffer);                                                                                \
  GRIDSPAN_SPARSE(cusparse##letter##bsrsv2_solve)                                                 \
  (cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA, int mb,         \
   int nnzb, const T* alpha, const cusparseMatDescr_t descrA, const T* bsrVal,                    \
   const int* bsrRowPtr, const int* bsrColInd, int blockDim, bsrsv2Info_t info, const T* f, T* x, \
   cusparseSolvePolicy_t policy, void* pBuffer);
GRIDSPAN_SPARSE_SDCZ(GRIDSPAN_SPARSE_BSRSV2)
#undef GRIDSPAN_SPARSE_BSRSV2

GRIDSPAN_SPARSE(cusparseXbsrsm2_zeroPivot)(cusparseHandle_t handle, bsrsm2Info_t info,
                                           int* position);
#define GRIDSPAN_SPARSE_BSRSM2(letter, T)                                                         \
  GRIDSPAN_SPARSE(cusparse##letter##bsrsm2_bufferSize)                                            \
  (cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA,                 \
   cusparseOperation_t transXY, int mb, int n, int nnzb, const cusparseMatDescr_t descrA,         \
   T* bsrVal, const int* bsrRowPtr, const int* bsrColInd, int blockSize, bsrsm2Info_t info,       \
   int* pBufferSizeInBytes);                                                                      \
  GRIDSPAN_SPARSE(cusparse##letter##bsrsm2_bufferSizeExt)                                         \
  (cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA,                 \
   cusparseOperation_t transXY, int mb, int n, int nnzb, const cusparseMatDescr_t descrA,         \
   T* bsrVal, const int* bsrRowPtr, const int* bsrColInd, int blockSize, bsrsm2Info_t info,       \
   size_t* pBufferSize);                                                                          \
  GRIDSPAN_SPARSE(cusparse##letter##bsrsm2_analysis)                                              \
  (cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA,                 \
   cusparseOperation_t transXY, int mb, int n, int nnzb, const cusparseMatDescr_t descrA,         \
   const T* bsrVal, const int* bsrRowPtr, const int* bsrColInd, int blockSize, bsrsm2Info_t info, \
   cusparseSolvePolicy_t policy, void* pBuffer);                                                  \
  GRIDSPAN_SPARSE(cusparse##letter##bsrsm2_solve)                                                 \
  (cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA,                 \
   cusparseOperation_t transXY, int mb, int n, int nnzb, const T* alpha,                          \
   const cusparseMatDescr_t descrA, const T* bsrVal, const int* bsrRowPtr, const int* bsrColInd,  \
   int blockSize, bsrsm2Info_t info, const T* B, int ldb, T* X, int ldx,                          \
   cusparseSolvePolicy_t policy, void* pBuffer);
GRIDSPAN_SPARSE_SDCZ(GRIDSPAN_SPARSE_BSRSM2)
#undef GRIDSPAN_SPARSE_BSRSM2

/* Systems with matrices of three and five diagonals. */
#define GRIDSPAN_SPARSE_DIAGONALS(letter, T)                                                    \
  GRIDSPAN_SPARSE(cusparse##letter##gtsv2_bufferSizeExt)                                        \
  (cusparseHandle_t handle, int m, int n, const T* dl, const T* d, const T* du, const T* B,     \
   int ldb, size_t* bufferSizeInBytes);                                                         \
  GRIDSPAN_SPARSE(cusparse##letter##gtsv2)                                                      \
  (cusparseHandle_t handle, int m, int n, const T* dl, const T* d, const T* du, T* B, int ldb,  \
   void* pBuffer);                                                                              \
  GRIDSPAN_SPARSE(cusparse##letter##gtsv2_nopivot_bufferSizeExt)                                \
  (cusparseHandle_t handle, int m, int n, const T* dl, const T* d, const T* du, const T* B,     \
   int ldb, size_t* bufferSizeInBytes);                                                         \
  GRIDSPAN_SPARSE(cusparse##letter##gtsv2_nopivot)                                              \
  (cusparseHandle_t handle, int m, int n, const T* dl, const T* d, const T* du, T* B, int ldb,  \
   void* pBuffer);                                                                              \
  GRIDSPAN_SPARSE(cusparse##letter##gtsv2StridedBatch_bufferSizeExt)                            \
  (cusparseHandle_t handle, int m, const T* dl, const T* d, const T* du, const T* x,            \
   int batchCount, int batchStride, size_t* bufferSizeInBytes);                                 \
  GRIDSPAN_SPARSE(cusparse##letter##gtsv2StridedBatch)                                          \
  (cusparseHandle_t handle, int m, const T* dl, const T* d, const T* du, T* x, int batchCount,  \
   int batchStride, void* pBuffer);                                                             \
  GRIDSPAN_SPARSE(cusparse##letter##gtsvInterleavedBatch_bufferSizeExt)                         \
  (cusparseHandle_t handle, int algo, int m, const T* dl, const T* d, const T* du, const T* x,  \
   int batchCount, size_t* pBufferSizeInBytes);                                                 \
  GRIDSPAN_SPARSE(cusparse##letter##gtsvInterleavedBatch)                                       \
  (cusparseHandle_t handle, int algo, int m, T* dl, T* d, T* du, T* x, int batchCount,          \
   void* pBuffer);                                                                              \
  GRIDSPAN_SPARSE(cusparse##letter##gpsvInterleavedBatch_bufferSizeExt)                         \
  (cusparseHandle_t handle, int algo, int m, const T* ds, const T* dl, const T* d, const T* du, \
   const T* dw, const T* x, int batchCount, size_t* pBufferSizeInBytes);                        \
  GRIDSPAN_SPARSE(cusparse##letter##gpsvInterleavedBatch)                                       \
  (cusparseHandle_t handle, int algo, int m, T* ds, T* dl, T* d, T* du, T* dw, T* x,            \
   int batchCount, void* pBuffer);
GRIDSPAN_SPARSE_SDCZ(GRIDSPAN_SPARSE_DIAGONALS)
#undef GRIDSPAN_SPARSE_DIAGONALS

/* C = alpha A + beta B */
GRIDSPAN_SPARSE(cusparseXcsrgeam2Nnz)(cusparseHandle_t handle, int m, int n,
                                      const cusparseMatDescr_t descrA, int nnzA,
                                      const int* csrRowPtrA, const int* csrColIndA,
                                      const cusparseMatDescr_t descrB, int nnzB,
                                      const int* csrRowPtrB, const int* csrColIndB,
                                      const cusparseMatDescr_t descrC, int* csrRowPtrC,
                                      int* nnzTotalDevHostPtr, void* workspace);
#define GRIDSPAN_SPARSE_GEAM(letter, T)                                                     \
  GRIDSPAN_SPARSE(cusparse##letter##csrgeam2_bufferSizeExt)                                 \
  (cusparseHandle_t handle, int m, int n, const T* alpha, const cusparseMatDescr_t descrA,  \
   int nnzA, const T* csrValA, const int* csrRowPtrA, const int* csrColIndA, const T* beta, \
   const cusparseMatDescr_t descrB, int nnzB, const T* csrValB, const int* csrRowPtrB,      \
   const int* csrColIndB, const cusparseMatDescr_t descrC, const T* csrValC,                \
   const int* csrRowPtrC, const int* csrColIndC, size_t* pBufferSizeInBytes);               \
  GRIDSPAN_SPARSE(cusparse##letter##csrgeam2)                                               \
  (cusparseHandle_t handle, int m, int n, const T* alpha, const cusparseMatDescr_t descrA,  \
   int nnzA, const T* csrValA, const int* csrRowPtrA, const int* csrColIndA, const T* beta, \
   const cusparseMatDescr_t descrB, int nnzB, const T* csrValB, const int* csrRowPtrB,      \
   const int* csrColIndB, const cusparseMatDescr_t descrC, T* csrValC, int* csrRowPtrC,     \
   int* csrColIndC, void* pBuffer);
GRIDSPAN_SPARSE_SDCZ(GRIDSPAN_SPARSE_GEAM)
#undef GRIDSPAN_SPARSE_GEAM
