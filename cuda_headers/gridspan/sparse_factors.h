// cuSPARSE: incomplete factors, and colours of graphs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sparse_types.h"

GRIDSPAN_SPARSE(cusparseXcsrilu02_zeroPivot)(cusparseHandle_t handle, csrilu02Info_t info,
                                             int* position);
#define GRIDSPAN_SPARSE_CSRILU02(letter, T)                                                       \
  GRIDSPAN_SPARSE(cusparse##letter##csrilu02_numericBoost)                                        \
  (cusparseHandle_t handle, csrilu02Info_t info, int enable_boost, double* tol, T* boost_val);    \
  GRIDSPAN_SPARSE(cusparse##letter##csrilu02_bufferSize)                                          \
  (cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, T* csrVal,           \
   const int* csrRowPtr, const int* csrColInd, csrilu02Info_t info, int* pBufferSizeInBytes);     \
  GRIDSPAN_SPARSE(cusparse##letter##csrilu02_bufferSizeExt)                                       \
  (cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, T* csrVal,           \
   const int* csrRowPtr, const int* csrColInd, csrilu02Info_t info, size_t* pBufferSize);         \
  GRIDSPAN_SPARSE(cusparse##letter##csrilu02_analysis)                                            \
  (cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, const T* csrVal,     \
   const int* csrRowPtr, const int* csrColInd, csrilu02Info_t info, cusparseSolvePolicy_t policy, \
   void* pBuffer);                                                                                \
  GRIDSPAN_SPARSE(cusparse##letter##csrilu02)                                                     \
  (cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, T* csrVal,           \
   const int* csrRowPtr, const int* csrColInd, csrilu02Info_t info, cusparseSolvePolicy_t policy, \
   void* pBuffer);
GRIDSPAN_SPARSE_SDCZ(GRIDSPAN_SPARSE_CSRILU02)
#undef GRIDSPAN_SPARSE_CSRILU02

GRIDSPAN_SPARSE(cusparseXcsric02_zeroPivot)(cusparseHandle_t handle, csric02Info_t info,
                                            int* position);
#define GRIDSPAN_SPARSE_CSRIC02(letter, T)                                                       \
  GRIDSPAN_SPARSE(cusparse##letter##csric02_bufferSize)                                          \
  (cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, T* csrVal,          \
   const int* csrRowPtr, const int* csrColInd, csric02Info_t info, int* pBufferSizeInBytes);     \
  GRIDSPAN_SPARSE(cusparse##letter##csric02_bufferSizeExt)                                       \
  (cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, T* csrVal,          \
   const int* csrRowPtr, const int* csrColInd, csric02Info_t info, size_t* pBufferSize);         \
  GRIDSPAN_SPARSE(cusparse##letter##csric02_analysis)                                            \
  (cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, const T* csrVal,    \
   const int* csrRowPtr, const int* csrColInd, csric02Info_t info, cusparseSolvePolicy_t policy, \
   void* pBuffer);                                                                               \
  GRIDSPAN_SPARSE(cusparse##letter##csric02)                                                     \
  (cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, T* csrVal,          \
   const int* csrRowPtr, const int* csrColInd, csric02Info_t info, cusparseSolvePolicy_t policy, \
   void* pBuffer);
GRIDSPAN_SPARSE_SDCZ(GRIDSPAN_SPARSE_CSRIC02)
#undef GRIDSPAN_SPARSE_CSRIC02

GRIDSPAN_SPARSE(cusparseXbsrilu02_zeroPivot)(cusparseHandle_t handle, bsrilu02Info_t info,
                                             int* position);
#define GRIDSPAN_SPARSE_BSRILU02(letter, T)                                                    \
  GRIDSPAN_SPARSE(cusparse##letter##bsrilu02_numericBoost)                                     \
  (cusparseHandle_t handle, bsrilu02Info_t info, int enable_boost, double* tol, T* boost_val); \
  GRIDSPAN_SPARSE(cusparse##letter##bsrilu02_bufferSize)                                       \
  (cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nnzb,                        \
   const cusparseMatDescr_t descrA, T* bsrVal, const int* bsrRowPtr, const int* bsrColInd,     \
   int blockDim, bsrilu02Info_t info, int* pBufferSizeInBytes);                                \
  GRIDSPAN_SPARSE(cusparse##letter##bsrilu02_bufferSizeExt)                                    \
  (cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nnzb,                        \
   const cusparseMatDescr_t descrA, T* bsrVal, const int* bsrRowPtr, const int* bsrColInd,     \
   int blockDim, bsrilu02Info_t info, size_t* pBufferSize);                                    \
  GRIDSPAN_SPARSE(cusparse##letter##bsrilu02_analysis)                                         \
  (cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nnzb,                        \
   const cusparseMatDescr_t descrA, T* bsrVal, const int* bsrRowPtr, const int* bsrColInd,     \
   int blockDim, bsrilu02Info_t info, cusparseSolvePolicy_t policy, void* pBuffer);            \
  GRIDSPAN_SPARSE(cusparse##letter##bsrilu02)                                                  \
  (cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nnzb,                        \
   const cusparseMatDescr_t descrA, T* bsrVal, const int* bsrRowPtr, const int* bsrColInd,     \
   int blockDim, bsrilu02Info_t info, cusparseSolvePolicy_t policy, void* pBuffer);
GRIDSPAN_SPARSE_SDCZ(GRIDSPAN_SPARSE_BSRILU02)
#undef GRIDSPAN_SPARSE_BSRILU02

GRIDSPAN_SPARSE(cusparseXbsric02_zeroPivot)(cusparseHandle_t handle, bsric02Info_t info,
                                            int* position);
#define GRIDSPAN_SPARSE_BSRIC02(letter, T)                                                       \
  GRIDSPAN_SPARSE(cusparse##letter##bsric02_bufferSize)                                          \
  (cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nnzb,                          \
   const cusparseMatDescr_t descrA, T* bsrVal, const int* bsrRowPtr, const int* bsrColInd,       \
   int blockDim, bsric02Info_t info, int* pBufferSizeInBytes);                                   \
  GRIDSPAN_SPARSE(cusparse##letter##bsric02_bufferSizeExt)                                       \
  (cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nnzb,                          \
   const cusparseMatDescr_t descrA, T* bsrVal, const int* bsrRowPtr, const int* bsrColInd,       \
   int blockDim, bsric02Info_t info, size_t* pBufferSize);                                       \
  GRIDSPAN_SPARSE(cusparse##letter##bsric02_analysis)                                            \
  (cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nnzb,                          \
   const cusparseMatDescr_t descrA, const T* bsrVal, const int* bsrRowPtr, const int* bsrColInd, \
   int blockDim, bsric02Info_t info, cusparseSolvePolicy_t policy, void* pBuffer);               \
  GRIDSPAN_SPARSE(cusparse##letter##bsric02)                                                     \
  (cusparseHandle_t handle, cusparseDirection_t dirA, int mb, int nnzb,                          \
   const cusparseMatDescr_t descrA, T* bsrVal, const int* bsrRowPtr, const int* bsrColInd,       \
   int blockDim, bsric02Info_t info, cusparseSolvePolicy_t policy, void* pBuffer);
GRIDSPAN_SPARSE_SDCZ(GRIDSPAN_SPARSE_BSRIC02)
#undef GRIDSPAN_SPARSE_BSRIC02

#define GRIDSPAN_SPARSE_COLOR(letter, T, R)                                                   \
  GRIDSPAN_SPARSE(cusparse##letter##csrcolor)                                                 \
  (cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, const T* csrVal, \
   const int* csrRowPtr, const int* csrColInd, const R* fractionToColor, int* ncolors,        \
   int* coloring, int* reordering, const cusparseColorInfo_t info);
GRIDSPAN_SPARSE_COLOR(S, float, float)
GRIDSPAN_SPARSE_COLOR(D, double, double)
GRIDSPAN_SPARSE_COLOR(C, cuComplex, float)
GRIDSPAN_SPARSE_COLOR(Z, cuDoubleComplex, double)
#undef GRIDSPAN_SPARSE_COLOR
