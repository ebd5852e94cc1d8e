// cuSPARSE: matrices from one format into another, sorted and pruned.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../cuda_fp16.h"
#include "sparse_types.h"

GRIDSPAN_SPARSE(cusparseCsr2cscEx2_bufferSize)(cusparseHandle_t handle, int m, int n, int nnz,
                                               const void* csrVal, const int* csrRowPtr,
                                               const int* csrColInd, void* cscVal, int* cscColPtr,
                                               int* cscRowInd, cudaDataType valType,
                                               cusparseAction_t copyValues,
                                               cusparseIndexBase_t idxBase,
                                               cusparseCsr2CscAlg_t alg, size_t* bufferSize);
GRIDSPAN_SPARSE(cusparseCsr2cscEx2)(cusparseHandle_t handle, int m, int n, int nnz,
                                    const void* csrVal, const int* csrRowPtr, const int* csrColInd,
                                    void* cscVal, int* cscColPtr, int* cscRowInd,
                                    cudaDataType valType, cusparseAction_t copyValues,
                                    cusparseIndexBase_t idxBase, cusparseCsr2CscAlg_t alg,
                                    void* buffer);
GRIDSPAN_SPARSE(cusparseXcoo2csr)(cusparseHandle_t handle, const int* cooRowInd, int nnz, int m,
                                  int* csrRowPtr, cusparseIndexBase_t idxBase);
GRIDSPAN_SPARSE(cusparseXcsr2coo)(cusparseHandle_t handle, const int* csrRowPtr, int nnz, int m,
                                  int* cooRowInd, cusparseIndexBase_t idxBase);
GRIDSPAN_SPARSE(cusparseXcsr2bsrNnz)(cusparseHandle_t handle, cusparseDirection_t dirA, int m,
                                     int n, const cusparseMatDescr_t descrA, const int* csrRowPtrA,
                                     const int* csrColIndA, int blockDim,
                                     const cusparseMatDescr_t descrC, int* bsrRowPtrC,
                                     int* nnzTotalDevHostPtr);
GRIDSPAN_SPARSE(cusparseXcsr2gebsrNnz)(cusparseHandle_t handle, cusparseDirection_t dirA, int m,
                                       int n, const cusparseMatDescr_t descrA,
                                       const int* csrRowPtrA, const int* csrColIndA,
                                       const cusparseMatDescr_t descrC, int* bsrRowPtrC,
                                       int rowBlockDim, int colBlockDim, int* nnzTotalDevHostPtr,
                                       void* pBuffer);
GRIDSPAN_SPARSE(cusparseXgebsr2csr)(cusparseHandle_t handle, cusparseDirection_t dirA, int mb,
                                    int nb, const cusparseMatDescr_t descrA, const int* bsrRowPtrA,
                                    const int* bsrColIndA, int rowBlockDim, int colBlockDim,
                                    const cusparseMatDescr_t descrC, int* csrRowPtrC,
                                    int* csrColIndC);
GRIDSPAN_SPARSE(cusparseXgebsr2gebsrNnz)(cusparseHandle_t handle, cusparseDirection_t dirA, int mb,
                                         int nb, int nnzb, const cusparseMatDescr_t descrA,
                                         const int* bsrRowPtrA, const int* bsrColIndA,
                                         int rowBlockDimA, int colBlockDimA,
                                         const cusparseMatDescr_t descrC, int* bsrRowPtrC,
                                         int rowBlockDimC, int colBlockDimC,
                                         int* nnzTotalDevHostPtr, void* pBuffer);
#define GRIDSPAN_SPARSE_BLOCKS(letter, T)                                                         \
  GRIDSPAN_SPARSE(cusparse##letter##csr2bsr)                                                      \
  (cusparseHandle_t handle, cusparseDirection_t dirA, int m, int n,                               \
   const cusparseMatDescr_t descrA, const T* csrValA, const int* csrRowPtrA,                      \
   const int* csrColIndA, int blockDim, const cusparseMatDescr_t descrC, T* bsrValC,              \
   int* bsrRowPtrC, int* bsrColIndC);                                                             \
  GRIDSPAN_SPARSE(cusparse##letter##bsr2csr)                                                      \
  (cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nb,                             \
   const cusparseMatDescr_t descrA, const T* bsrValA, const int* bsrRowPtrA,                      \
   const int* bsrColIndA, int blockDim, const cusparseMatDescr_t descrC, T* csrValC,              \
   int* csrRowPtrC, int* csrColIndC);                                                             \
  GRIDSPAN_SPARSE(cusparse##letter##gebsr2gebsc_bufferSize)                                       \
  (cusparseHandle_t handle, int mb, int nb, int nnzb, const T* bsrVal, const int* bsrRowPtr,      \
   const int* bsrColInd, int rowBlockDim, int colBlockDim, int* pBufferSizeInBytes);              \
  GRIDSPAN_SPARSE(cusparse##letter##gebsr2gebsc_bufferSizeExt)                                    \
  (cusparseHandle_t handle, int mb, int nb, int nnzb, const T* bsrVal, const int* bsrRowPtr,      \
   const int* bsrColInd, int rowBlockDim, int colBlockDim, size_t* pBufferSize);                  \
  GRIDSPAN_SPARSE(cusparse##letter##gebsr2gebsc)                                                  \
  (cusparseHandle_t handle, int mb, int nb, int nnzb, const T* bsrVal, const int* bsrRowPtr,      \
   const int* bsrColInd, int rowBlockDim, int colBlockDim, T* bscVal, int* bscRowInd,             \
   int* bscColPtr, cusparseAction_t copyValues, cusparseIndexBase_t idxBase, void* pBuffer);      \
  GRIDSPAN_SPARSE(cusparse##letter##gebsr2csr)                                                    \
  (cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nb,                             \
   const cusparseMatDescr_t descrA, const T* bsrValA, const int* bsrRowPtrA,                      \
   const int* bsrColIndA, int rowBlockDim, int colBlockDim, const cusparseMatDescr_t descrC,      \
   T* csrValC, int* csrRowPtrC, int* csrColIndC);                                                 \
  GRIDSPAN_SPARSE(cusparse##letter##csr2gebsr_bufferSize)                                         \
  (cusparseHandle_t handle, cusparseDirection_t dirA, int m, int n,                               \
   const cusparseMatDescr_t descrA, const T* csrValA, const int* csrRowPtrA,                      \
   const int* csrColIndA, int rowBlockDim, int colBlockDim, int* pBufferSizeInBytes);             \
  GRIDSPAN_SPARSE(cusparse##letter##csr2gebsr_bufferSizeExt)                                      \
  (cusparseHandle_t handle, cusparseDirection_t dirA, int m, int n,                               \
   const cusparseMatDescr_t descrA, const T* csrValA, const int* csrRowPtrA,                      \
   const int* csrColIndA, int rowBlockDim, int colBlockDim, size_t* pBufferSize);                 \
  GRIDSPAN_SPARSE(cusparse##letter##csr2gebsr)                                                    \
  (cusparseHandle_t handle, cusparseDirection_t dirA, int m, int n,                               \
   const cusparseMatDescr_t descrA, const T* csrValA, const int* csrRowPtrA,                      \
   const int* csrColIndA, const cusparseMatDescr_t descrC, T* bsrValC, int* bsrRowPtrC,           \
   int* bsrColIndC, int rowBlockDim, int colBlockDim, void* pBuffer);                             \
  GRIDSPAN_SPARSE(cusparse##letter##gebsr2gebsr_bufferSize)                                       \
  (cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nb, int nnzb,                   \
   const cusparseMatDescr_t descrA, const T* bsrValA, const int* bsrRowPtrA,                      \
   const int* bsrColIndA, int rowBlockDimA, int colBlockDimA, int rowBlockDimC, int colBlockDimC, \
   int* pBufferSizeInBytes);                                                                      \
  GRIDSPAN_SPARSE(cusparse##letter##gebsr2gebsr_bufferSizeExt)                                    \
  (cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nb, int nnzb,                   \
   const cusparseMatDescr_t descrA, const T* bsrValA, const int* bsrRowPtrA,                      \
   const int* bsrColIndA, int rowBlockDimA, int colBlockDimA, int rowBlockDimC, int colBlockDimC, \
   size_t* pBufferSize);                                                                          \
  GRIDSPAN_SPARSE(cusparse##letter##gebsr2gebsr)                                                  \
  (cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nb, int nnzb,                   \
   const cusparseMatDescr_t descrA, const T* bsrValA, const int* bsrRowPtrA,                      \
   const int* bsrColIndA, int rowBlockDimA, int colBlockDimA, const cusparseMatDescr_t descrC,    \
   T* bsrValC, int* bsrRowPtrC, int* bsrColIndC, int rowBlockDimC, int colBlockDimC,              \
   void* pBuffer);
GRIDSPAN_SPARSE_SDCZ(GRIDSPAN_SPARSE_BLOCKS)
#undef GRIDSPAN_SPARSE_BLOCKS

/* Numbers of elements; matrices without their small elements. */
#define GRIDSPAN_SPARSE_COUNTS(letter, T)                                                    \
  GRIDSPAN_SPARSE(cusparse##letter##nnz)                                                     \
  (cusparseHandle_t handle, cusparseDirection_t dirA, int m, int n,                          \
   const cusparseMatDescr_t descrA, const T* A, int lda, int* nnzPerRowCol,                  \
   int* nnzTotalDevHostPtr);                                                                 \
  GRIDSPAN_SPARSE(cusparse##letter##nnz_compress)                                            \
  (cusparseHandle_t handle, int m, const cusparseMatDescr_t descr, const T* csrValA,         \
   const int* csrRowPtrA, int* nnzPerRow, int* nnzC, T tol);                                 \
  GRIDSPAN_SPARSE(cusparse##letter##csr2csr_compress)                                        \
  (cusparseHandle_t handle, int m, int n, const cusparseMatDescr_t descrA, const T* csrValA, \
   const int* csrColIndA, const int* csrRowPtrA, int nnzA, const int* nnzPerRow, T* csrValC, \
   int* csrColIndC, int* csrRowPtrC, T tol);
GRIDSPAN_SPARSE_SDCZ(GRIDSPAN_SPARSE_COUNTS)
#undef GRIDSPAN_SPARSE_COUNTS

/* Matrices in order; P says where each element was. */
GRIDSPAN_SPARSE(cusparseCreateIdentityPermutation)(cusparseHandle_t handle, int n, int* p);
GRIDSPAN_SPARSE(cusparseXcoosort_bufferSizeExt)(cusparseHandle_t handle, int m, int n, int nnz,
                                                const int* cooRowsA, const int* cooColsA,
                                                size_t* pBufferSizeInBytes);
GRIDSPAN_SPARSE(cusparseXcoosortByRow)(cusparseHandle_t handle, int m, int n, int nnz,
                                       int* cooRowsA, int* cooColsA, int* P, void* pBuffer);
GRIDSPAN_SPARSE(cusparseXcoosortByColumn)(cusparseHandle_t handle, int m, int n, int nnz,
                                          int* cooRowsA, int* cooColsA, int* P, void* pBuffer);
GRIDSPAN_SPARSE(cusparseXcsrsort_bufferSizeExt)(cusparseHandle_t handle, int m, int n, int nnz,
                                                const int* csrRowPtrA, const int* csrColIndA,
                                                size_t* pBufferSizeInBytes);
GRIDSPAN_SPARSE(cusparseXcsrsort)(cusparseHandle_t handle, int m, int n, int nnz,
                                  const cusparseMatDescr_t descrA, const int* csrRowPtrA,
                                  int* csrColIndA, int* P, void* pBuffer);
GRIDSPAN_SPARSE(cusparseXcscsort_bufferSizeExt)(cusparseHandle_t handle, int m, int n, int nnz,
                                                const int* cscColPtrA, const int* cscRowIndA,
                                                size_t* pBufferSizeInBytes);
GRIDSPAN_SPARSE(cusparseXcscsort)(cusparseHandle_t handle, int m, int n, int nnz,
                                  const cusparseMatDescr_t descrA, const int* cscColPtrA,
                                  int* cscRowIndA, int* P, void* pBuffer);
#define GRIDSPAN_SPARSE_UNSORTED(letter, T)                                                    \
  GRIDSPAN_SPARSE(cusparse##letter##csru2csr_bufferSizeExt)                                    \
  (cusparseHandle_t handle, int m, int n, int nnz, T* csrVal, const int* csrRowPtr,            \
   int* csrColInd, csru2csrInfo_t info, size_t* pBufferSizeInBytes);                           \
  GRIDSPAN_SPARSE(cusparse##letter##csru2csr)                                                  \
  (cusparseHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t descrA, T* csrVal, \
   const int* csrRowPtr, int* csrColInd, csru2csrInfo_t info, void* pBuffer);                  \
  GRIDSPAN_SPARSE(cusparse##letter##csr2csru)                                                  \
  (cusparseHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t descrA, T* csrVal, \
   const int* csrRowPtr, int* csrColInd, csru2csrInfo_t info, void* pBuffer);
GRIDSPAN_SPARSE_SDCZ(GRIDSPAN_SPARSE_UNSORTED)
#undef GRIDSPAN_SPARSE_UNSORTED

/* Matrices without elements below a threshold, or without a percentage of them. */
#define GRIDSPAN_SPARSE_PRUNE(letter, T)                                                        \
  GRIDSPAN_SPARSE(cusparse##letter##pruneDense2csr_bufferSizeExt)                               \
  (cusparseHandle_t handle, int m, int n, const T* A, int lda, const T* threshold,              \
   const cusparseMatDescr_t descrC, const T* csrValC, const int* csrRowPtrC,                    \
   const int* csrColIndC, size_t* pBufferSizeInBytes);                                          \
  GRIDSPAN_SPARSE(cusparse##letter##pruneDense2csrNnz)                                          \
  (cusparseHandle_t handle, int m, int n, const T* A, int lda, const T* threshold,              \
   const cusparseMatDescr_t descrC, int* csrRowPtrC, int* nnzTotalDevHostPtr, void* pBuffer);   \
  GRIDSPAN_SPARSE(cusparse##letter##pruneDense2csr)                                             \
  (cusparseHandle_t handle, int m, int n, const T* A, int lda, const T* threshold,              \
   const cusparseMatDescr_t descrC, T* csrValC, const int* csrRowPtrC, int* csrColIndC,         \
   void* pBuffer);                                                                              \
  GRIDSPAN_SPARSE(cusparse##letter##pruneDense2csrByPercentage_bufferSizeExt)                   \
  (cusparseHandle_t handle, int m, int n, const T* A, int lda, float percentage,                \
   const cusparseMatDescr_t descrC, const T* csrValC, const int* csrRowPtrC,                    \
   const int* csrColIndC, pruneInfo_t info, size_t* pBufferSizeInBytes);                        \
  GRIDSPAN_SPARSE(cusparse##letter##pruneDense2csrNnzByPercentage)                              \
  (cusparseHandle_t handle, int m, int n, const T* A, int lda, float percentage,                \
   const cusparseMatDescr_t descrC, int* csrRowPtrC, int* nnzTotalDevHostPtr, pruneInfo_t info, \
   void* pBuffer);                                                                              \
  GRIDSPAN_SPARSE(cusparse##letter##pruneDense2csrByPercentage)                                 \
  (cusparseHandle_t handle, int m, int n, const T* A, int lda, float percentage,                \
   const cusparseMatDescr_t descrC, T* csrValC, const int* csrRowPtrC, int* csrColIndC,         \
   pruneInfo_t info, void* pBuffer);                                                            \
  GRIDSPAN_SPARSE(cusparse##letter##pruneCsr2csr_bufferSizeExt)                                 \
  (cusparseHandle_t handle, int m, int n, int nnzA, const cusparseMatDescr_t descrA,            \
   const T* csrValA, const int* csrRowPtrA, const int* csrColIndA, const T* threshold,          \
   const cusparseMatDescr_t descrC, const T* csrValC, const int* csrRowPtrC,                    \
   const int* csrColIndC, size_t* pBufferSizeInBytes);                                          \
  GRIDSPAN_SPARSE(cusparse##letter##pruneCsr2csrNnz)                                            \
  (cusparseHandle_t handle, int m, int n, int nnzA, const cusparseMatDescr_t descrA,            \
   const T* csrValA, const int* csrRowPtrA, const int* csrColIndA, const T* threshold,          \
   const cusparseMatDescr_t descrC, int* csrRowPtrC, int* nnzTotalDevHostPtr, void* pBuffer);   \
  GRIDSPAN_SPARSE(cusparse##letter##pruneCsr2csr)                                               \
  (cusparseHandle_t handle, int m, int n, int nnzA, const cusparseMatDescr_t descrA,            \
   const T* csrValA, const int* csrRowPtrA, const int* csrColIndA, const T* threshold,          \
   const cusparseMatDescr_t descrC, T* csrValC, const int* csrRowPtrC, int* csrColIndC,         \
   void* pBuffer);                                                                              \
  GRIDSPAN_SPARSE(cusparse##letter##pruneCsr2csrByPercentage_bufferSizeExt)                     \
  (cusparseHandle_t handle, int m, int n, int nnzA, const cusparseMatDescr_t descrA,            \
   const T* csrValA, const int* csrRowPtrA, const int* csrColIndA, float percentage,            \
   const cusparseMatDescr_t descrC, const T* csrValC, const int* csrRowPtrC,                    \
   const int* csrColIndC, pruneInfo_t info, size_t* pBufferSizeInBytes);                        \
  GRIDSPAN_SPARSE(cusparse##letter##pruneCsr2csrNnzByPercentage)                                \
  (cusparseHandle_t handle, int m, int n, int nnzA, const cusparseMatDescr_t descrA,            \
   const T* csrValA, const int* csrRowPtrA, const int* csrColIndA, float percentage,            \
   const cusparseMatDescr_t descrC, int* csrRowPtrC, int* nnzTotalDevHostPtr, pruneInfo_t info, \
   void* pBuffer);                                                                              \
  GRIDSPAN_SPARSE(cusparse##letter##pruneCsr2csrByPercentage)                                   \
  (cusparseHandle_t handle, int m, int n, int nnzA, const cusparseMatDescr_t descrA,            \
   const T* csrValA, const int* csrRowPtrA, const int* csrColIndA, float percentage,            \
   const cusparseMatDescr_t descrC, T* csrValC, const int* csrRowPtrC, int* csrColIndC,         \
   pruneInfo_t info, void* pBuffer);
GRIDSPAN_SPARSE_PRUNE(H, __half)
GRIDSPAN_SPARSE_PRUNE(S, float)
GRIDSPAN_SPARSE_PRUNE(D, double)
#undef GRIDSPAN_SPARSE_PRUNE
