// cuSPARSE: the generic functions, on descriptors of vectors and matrices of any format and type.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sparse_types.h"

/* Descriptors. Each is created over the program's arrays, or over arrays that are only read
   ("Const"). Q stands for const in the declarations for both. */
#define GRIDSPAN_SPARSE_DESCRIPTORS(Const, Q)                                                     \
  GRIDSPAN_SPARSE(cusparseCreate##Const##SpVec)                                                   \
  (cusparse##Const##SpVecDescr_t * spVecDescr, int64_t size, int64_t nnz, Q void* indices,        \
   Q void* values, cusparseIndexType_t idxType, cusparseIndexBase_t idxBase,                      \
   cudaDataType valueType);                                                                       \
  GRIDSPAN_SPARSE(cusparseCreate##Const##DnVec)                                                   \
  (cusparse##Const##DnVecDescr_t * dnVecDescr, int64_t size, Q void* values,                      \
   cudaDataType valueType);                                                                       \
  GRIDSPAN_SPARSE(cusparseCreate##Const##Csr)                                                     \
  (cusparse##Const##SpMatDescr_t * spMatDescr, int64_t rows, int64_t cols, int64_t nnz,           \
   Q void* csrRowOffsets, Q void* csrColInd, Q void* csrValues,                                   \
   cusparseIndexType_t csrRowOffsetsType, cusparseIndexType_t csrColIndType,                      \
   cusparseIndexBase_t idxBase, cudaDataType valueType);                                          \
  GRIDSPAN_SPARSE(cusparseCreate##Const##Csc)                                                     \
  (cusparse##Const##SpMatDescr_t * spMatDescr, int64_t rows, int64_t cols, int64_t nnz,           \
   Q void* cscColOffsets, Q void* cscRowInd, Q void* cscValues,                                   \
   cusparseIndexType_t cscColOffsetsType, cusparseIndexType_t cscRowIndType,                      \
   cusparseIndexBase_t idxBase, cudaDataType valueType);                                          \
  GRIDSPAN_SPARSE(cusparseCreate##Const##Coo)                                                     \
  (cusparse##Const##SpMatDescr_t * spMatDescr, int64_t rows, int64_t cols, int64_t nnz,           \
   Q void* cooRowInd, Q void* cooColInd, Q void* cooValues, cusparseIndexType_t cooIdxType,       \
   cusparseIndexBase_t idxBase, cudaDataType valueType);                                          \
  GRIDSPAN_SPARSE(cusparseCreate##Const##Bsr)                                                     \
  (cusparse##Const##SpMatDescr_t * spMatDescr, int64_t brows, int64_t bcols, int64_t bnnz,        \
   int64_t rowBlockSize, int64_t colBlockSize, Q void* bsrRowOffsets, Q void* bsrColInd,          \
   Q void* bsrValues, cusparseIndexType_t bsrRowOffsetsType, cusparseIndexType_t bsrColIndType,   \
   cusparseIndexBase_t idxBase, cudaDataType valueType, cusparseOrder_t order);                   \
  GRIDSPAN_SPARSE(cusparseCreate##Const##BlockedEll)                                              \
  (cusparse##Const##SpMatDescr_t * spMatDescr, int64_t rows, int64_t cols, int64_t ellBlockSize,  \
   int64_t ellCols, Q void* ellColInd, Q void* ellValue, cusparseIndexType_t ellIdxType,          \
   cusparseIndexBase_t idxBase, cudaDataType valueType);                                          \
  GRIDSPAN_SPARSE(cusparseCreate##Const##SlicedEll)                                               \
  (cusparse##Const##SpMatDescr_t * spMatDescr, int64_t rows, int64_t cols, int64_t nnz,           \
   int64_t sellValuesSize, int64_t sliceSize, Q void* sellSliceOffsets, Q void* sellColInd,       \
   Q void* sellValues, cusparseIndexType_t sellSliceOffsetsType,                                  \
   cusparseIndexType_t sellColIndType, cusparseIndexBase_t idxBase, cudaDataType valueType);      \
  GRIDSPAN_SPARSE(cusparseCreate##Const##DnMat)                                                   \
  (cusparse##Const##DnMatDescr_t * dnMatDescr, int64_t rows, int64_t cols, int64_t ld,            \
   Q void* values, cudaDataType valueType, cusparseOrder_t order);                                \
                                                                                                  \
  GRIDSPAN_SPARSE(cusparse##Const##SpVecGet)                                                      \
  (cusparse##Const##SpVecDescr_t spVecDescr, int64_t* size, int64_t* nnz, Q void** indices,       \
   Q void** values, cusparseIndexType_t* idxType, cusparseIndexBase_t* idxBase,                   \
   cudaDataType* valueType);                                                                      \
  GRIDSPAN_SPARSE(cusparse##Const##SpVecGetValues)                                                \
  (cusparse##Const##SpVecDescr_t spVecDescr, Q void** values);                                    \
  GRIDSPAN_SPARSE(cusparse##Const##DnVecGet)                                                      \
  (cusparse##Const##DnVecDescr_t dnVecDescr, int64_t* size, Q void** values,                      \
   cudaDataType* valueType);                                                                      \
  GRIDSPAN_SPARSE(cusparse##Const##DnVecGetValues)                                                \
  (cusparse##Const##DnVecDescr_t dnVecDescr, Q void** values);                                    \
  GRIDSPAN_SPARSE(cusparse##Const##SpMatGetValues)                                                \
  (cusparse##Const##SpMatDescr_t spMatDescr, Q void** values);                                    \
  GRIDSPAN_SPARSE(cusparse##Const##CsrGet)                                                        \
  (cusparse##Const##SpMatDescr_t spMatDescr, int64_t* rows, int64_t* cols, int64_t* nnz,          \
   Q void** csrRowOffsets, Q void** csrColInd, Q void** csrValues,                                \
   cusparseIndexType_t* csrRowOffsetsType, cusparseIndexType_t* csrColIndType,                    \
   cusparseIndexBase_t* idxBase, cudaDataType* valueType);                                        \
  GRIDSPAN_SPARSE(cusparse##Const##CscGet)                                                        \
  (cusparse##Const##SpMatDescr_t spMatDescr, int64_t* rows, int64_t* cols, int64_t* nnz,          \
   Q void** cscColOffsets, Q void** cscRowInd, Q void** cscValues,                                \
   cusparseIndexType_t* cscColOffsetsType, cusparseIndexType_t* cscRowIndType,                    \
   cusparseIndexBase_t* idxBase, cudaDataType* valueType);                                        \
  GRIDSPAN_SPARSE(cusparse##Const##CooGet)                                                        \
  (cusparse##Const##SpMatDescr_t spMatDescr, int64_t* rows, int64_t* cols, int64_t* nnz,          \
   Q void** cooRowInd, Q void** cooColInd, Q void** cooValues, cusparseIndexType_t* idxType,      \
   cusparseIndexBase_t* idxBase, cudaDataType* valueType);                                        \
  GRIDSPAN_SPARSE(cusparse##Const##BlockedEllGet)                                                 \
  (cusparse##Const##SpMatDescr_t spMatDescr, int64_t* rows, int64_t* cols, int64_t* ellBlockSize, \
   int64_t* ellCols, Q void** ellColInd, Q void** ellValue, cusparseIndexType_t* ellIdxType,      \
   cusparseIndexBase_t* idxBase, cudaDataType* valueType);                                        \
  GRIDSPAN_SPARSE(cusparse##Const##DnMatGet)                                                      \
  (cusparse##Const##DnMatDescr_t dnMatDescr, int64_t* rows, int64_t* cols, int64_t* ld,           \
   Q void** values, cudaDataType* type, cusparseOrder_t* order);                                  \
  GRIDSPAN_SPARSE(cusparse##Const##DnMatGetValues)                                                \
  (cusparse##Const##DnMatDescr_t dnMatDescr, Q void** values);
GRIDSPAN_SPARSE_DESCRIPTORS(, )
GRIDSPAN_SPARSE_DESCRIPTORS(Const, const)
#undef GRIDSPAN_SPARSE_DESCRIPTORS

GRIDSPAN_SPARSE(cusparseDestroySpVec)(cusparseConstSpVecDescr_t spVecDescr);
GRIDSPAN_SPARSE(cusparseDestroyDnVec)(cusparseConstDnVecDescr_t dnVecDescr);
GRIDSPAN_SPARSE(cusparseDestroySpMat)(cusparseConstSpMatDescr_t spMatDescr);
GRIDSPAN_SPARSE(cusparseDestroyDnMat)(cusparseConstDnMatDescr_t dnMatDescr);
GRIDSPAN_SPARSE(cusparseSpVecGetIndexBase)(cusparseConstSpVecDescr_t spVecDescr,
                                           cusparseIndexBase_t* idxBase);
GRIDSPAN_SPARSE(cusparseSpVecSetValues)(cusparseSpVecDescr_t spVecDescr, void* values);
GRIDSPAN_SPARSE(cusparseDnVecSetValues)(cusparseDnVecDescr_t dnVecDescr, void* values);
GRIDSPAN_SPARSE(cusparseSpMatGetFormat)(cusparseConstSpMatDescr_t spMatDescr,
                                        cusparseFormat_t* format);
GRIDSPAN_SPARSE(cusparseSpMatGetIndexBase)(cusparseConstSpMatDescr_t spMatDescr,
                                           cusparseIndexBase_t* idxBase);
GRIDSPAN_SPARSE(cusparseSpMatSetValues)(cusparseSpMatDescr_t spMatDescr, void* values);
GRIDSPAN_SPARSE(cusparseSpMatGetSize)(cusparseConstSpMatDescr_t spMatDescr, int64_t* rows,
                                      int64_t* cols, int64_t* nnz);
GRIDSPAN_SPARSE(cusparseSpMatGetStridedBatch)(cusparseConstSpMatDescr_t spMatDescr,
                                              int* batchCount);
GRIDSPAN_SPARSE(cusparseCooSetStridedBatch)(cusparseSpMatDescr_t spMatDescr, int batchCount,
                                            int64_t batchStride);
GRIDSPAN_SPARSE(cusparseCsrSetStridedBatch)(cusparseSpMatDescr_t spMatDescr, int batchCount,
                                            int64_t offsetsBatchStride,
                                            int64_t columnsValuesBatchStride);
GRIDSPAN_SPARSE(cusparseBsrSetStridedBatch)(cusparseSpMatDescr_t spMatDescr, int batchCount,
                                            int64_t offsetsBatchStride, int64_t columnsBatchStride,
                                            int64_t ValuesBatchStride);
GRIDSPAN_SPARSE(cusparseSpMatGetAttribute)(cusparseConstSpMatDescr_t spMatDescr,
                                           cusparseSpMatAttribute_t attribute, void* data,
                                           size_t dataSize);
GRIDSPAN_SPARSE(cusparseSpMatSetAttribute)(cusparseSpMatDescr_t spMatDescr,
                                           cusparseSpMatAttribute_t attribute, void* data,
                                           size_t dataSize);
GRIDSPAN_SPARSE(cusparseCsrSetPointers)(cusparseSpMatDescr_t spMatDescr, void* csrRowOffsets,
                                        void* csrColInd, void* csrValues);
GRIDSPAN_SPARSE(cusparseCscSetPointers)(cusparseSpMatDescr_t spMatDescr, void* cscColOffsets,
                                        void* cscRowInd, void* cscValues);
GRIDSPAN_SPARSE(cusparseCooSetPointers)(cusparseSpMatDescr_t spMatDescr, void* cooRows,
                                        void* cooColumns, void* cooValues);
GRIDSPAN_SPARSE(cusparseDnMatSetValues)(cusparseDnMatDescr_t dnMatDescr, void* values);
GRIDSPAN_SPARSE(cusparseDnMatSetStridedBatch)(cusparseDnMatDescr_t dnMatDescr, int batchCount,
                                              int64_t batchStride);
GRIDSPAN_SPARSE(cusparseDnMatGetStridedBatch)(cusparseConstDnMatDescr_t dnMatDescr, int* batchCount,
                                              int64_t* batchStride);

/* Vectors. */
GRIDSPAN_SPARSE(cusparseAxpby)(cusparseHandle_t handle, const void* alpha,
                               cusparseConstSpVecDescr_t vecX, const void* beta,
                               cusparseDnVecDescr_t vecY);
GRIDSPAN_SPARSE(cusparseGather)(cusparseHandle_t handle, cusparseConstDnVecDescr_t vecY,
                                cusparseSpVecDescr_t vecX);
GRIDSPAN_SPARSE(cusparseScatter)(cusparseHandle_t handle, cusparseConstSpVecDescr_t vecX,
                                 cusparseDnVecDescr_t vecY);
GRIDSPAN_SPARSE(cusparseRot)(cusparseHandle_t handle, const void* c_coeff, const void* s_coeff,
                             cusparseSpVecDescr_t vecX, cusparseDnVecDescr_t vecY);
GRIDSPAN_SPARSE(cusparseSpVV_bufferSize)(cusparseHandle_t handle, cusparseOperation_t opX,
                                         cusparseConstSpVecDescr_t vecX,
                                         cusparseConstDnVecDescr_t vecY, const void* result,
                                         cudaDataType computeType, size_t* bufferSize);
GRIDSPAN_SPARSE(cusparseSpVV)(cusparseHandle_t handle, cusparseOperation_t opX,
                              cusparseConstSpVecDescr_t vecX, cusparseConstDnVecDescr_t vecY,
                              void* result, cudaDataType computeType, void* externalBuffer);

/* Sparse and dense matrices into each other. */
GRIDSPAN_SPARSE(cusparseSparseToDense_bufferSize)(cusparseHandle_t handle,
                                                  cusparseConstSpMatDescr_t matA,
                                                  cusparseDnMatDescr_t matB,
                                                  cusparseSparseToDenseAlg_t alg,
                                                  size_t* bufferSize);
GRIDSPAN_SPARSE(cusparseSparseToDense)(cusparseHandle_t handle, cusparseConstSpMatDescr_t matA,
                                       cusparseDnMatDescr_t matB, cusparseSparseToDenseAlg_t alg,
                                       void* externalBuffer);
GRIDSPAN_SPARSE(cusparseDenseToSparse_bufferSize)(cusparseHandle_t handle,
                                                  cusparseConstDnMatDescr_t matA,
                                                  cusparseSpMatDescr_t matB,
                                                  cusparseDenseToSparseAlg_t alg,
                                                  size_t* bufferSize);
GRIDSPAN_SPARSE(cusparseDenseToSparse_analysis)(cusparseHandle_t handle,
                                                cusparseConstDnMatDescr_t matA,
                                                cusparseSpMatDescr_t matB,
                                                cusparseDenseToSparseAlg_t alg,
                                                void* externalBuffer);
GRIDSPAN_SPARSE(cusparseDenseToSparse_convert)(cusparseHandle_t handle,
                                               cusparseConstDnMatDescr_t matA,
                                               cusparseSpMatDescr_t matB,
                                               cusparseDenseToSparseAlg_t alg,
                                               void* externalBuffer);

/* y = alpha op(A) x + beta y */
GRIDSPAN_SPARSE(cusparseSpMV_bufferSize)(cusparseHandle_t handle, cusparseOperation_t opA,
                                         const void* alpha, cusparseConstSpMatDescr_t matA,
                                         cusparseConstDnVecDescr_t vecX, const void* beta,
                                         cusparseDnVecDescr_t vecY, cudaDataType computeType,
                                         cusparseSpMVAlg_t alg, size_t* bufferSize);
GRIDSPAN_SPARSE(cusparseSpMV_preprocess)(cusparseHandle_t handle, cusparseOperation_t opA,
                                         const void* alpha, cusparseConstSpMatDescr_t matA,
                                         cusparseConstDnVecDescr_t vecX, const void* beta,
                                         cusparseDnVecDescr_t vecY, cudaDataType computeType,
                                         cusparseSpMVAlg_t alg, void* externalBuffer);
GRIDSPAN_SPARSE(cusparseSpMV)(cusparseHandle_t handle, cusparseOperation_t opA, const void* alpha,
                              cusparseConstSpMatDescr_t matA, cusparseConstDnVecDescr_t vecX,
                              const void* beta, cusparseDnVecDescr_t vecY, cudaDataType computeType,
                              cusparseSpMVAlg_t alg, void* externalBuffer);

/* Triangular solves with a vector, with a matrix. */
GRIDSPAN_SPARSE(cusparseSpSV_createDescr)(cusparseSpSVDescr_t* descr);
GRIDSPAN_SPARSE(cusparseSpSV_destroyDescr)(cusparseSpSVDescr_t descr);
GRIDSPAN_SPARSE(cusparseSpSV_bufferSize)(cusparseHandle_t handle, cusparseOperation_t opA,
                                         const void* alpha, cusparseConstSpMatDescr_t matA,
                                         cusparseConstDnVecDescr_t vecX, cusparseDnVecDescr_t vecY,
                                         cudaDataType computeType, cusparseSpSVAlg_t alg,
                                         cusparseSpSVDescr_t spsvDescr, size_t* bufferSize);
GRIDSPAN_SPARSE(cusparseSpSV_analysis)(cusparseHandle_t handle, cusparseOperation_t opA,
                                       const void* alpha, cusparseConstSpMatDescr_t matA,
                                       cusparseConstDnVecDescr_t vecX, cusparseDnVecDescr_t vecY,
                                       cudaDataType computeType, cusparseSpSVAlg_t alg,
                                       cusparseSpSVDescr_t spsvDescr, void* externalBuffer);
GRIDSPAN_SPARSE(cusparseSpSV_solve)(cusparseHandle_t handle, cusparseOperation_t opA,
                                    const void* alpha, cusparseConstSpMatDescr_t matA,
                                    cusparseConstDnVecDescr_t vecX, cusparseDnVecDescr_t vecY,
                                    cudaDataType computeType, cusparseSpSVAlg_t alg,
                                    cusparseSpSVDescr_t spsvDescr);
GRIDSPAN_SPARSE(cusparseSpSV_updateMatrix)(cusparseHandle_t handle, cusparseSpSVDescr_t spsvDescr,
                                           void* newValues, cusparseSpSVUpdate_t updatePart);
GRIDSPAN_SPARSE(cusparseSpSM_createDescr)(cusparseSpSMDescr_t* descr);
GRIDSPAN_SPARSE(cusparseSpSM_destroyDescr)(cusparseSpSMDescr_t descr);
GRIDSPAN_SPARSE(cusparseSpSM_bufferSize)(cusparseHandle_t handle, cusparseOperation_t opA,
                                         cusparseOperation_t opB, const void* alpha,
                                         cusparseConstSpMatDescr_t matA,
                                         cusparseConstDnMatDescr_t matB, cusparseDnMatDescr_t matC,
                                         cudaDataType computeType, cusparseSpSMAlg_t alg,
                                         cusparseSpSMDescr_t spsmDescr, size_t* bufferSize);
GRIDSPAN_SPARSE(cusparseSpSM_analysis)(cusparseHandle_t handle, cusparseOperation_t opA,
                                       cusparseOperation_t opB, const void* alpha,
                                       cusparseConstSpMatDescr_t matA,
                                       cusparseConstDnMatDescr_t matB, cusparseDnMatDescr_t matC,
                                       cudaDataType computeType, cusparseSpSMAlg_t alg,
                                       cusparseSpSMDescr_t spsmDescr, void* externalBuffer);
GRIDSPAN_SPARSE(cusparseSpSM_solve)(cusparseHandle_t handle, cusparseOperation_t opA,
                                    cusparseOperation_t opB, const void* alpha,
                                    cusparseConstSpMatDescr_t matA, cusparseConstDnMatDescr_t matB,
                                    cusparseDnMatDescr_t matC, cudaDataType computeType,
                                    cusparseSpSMAlg_t alg, cusparseSpSMDescr_t spsmDescr);
GRIDSPAN_SPARSE(cusparseSpSM_updateMatrix)(cusparseHandle_t handle, cusparseSpSMDescr_t spsmDescr,
                                           void* newValues, cusparseSpSMUpdate_t updatePart);

/* C = alpha op(A) op(B) + beta C, B dense */
GRIDSPAN_SPARSE(cusparseSpMM_bufferSize)(cusparseHandle_t handle, cusparseOperation_t opA,
                                         cusparseOperation_t opB, const void* alpha,
                                         cusparseConstSpMatDescr_t matA,
                                         cusparseConstDnMatDescr_t matB, const void* beta,
                                         cusparseDnMatDescr_t matC, cudaDataType computeType,
                                         cusparseSpMMAlg_t alg, size_t* bufferSize);
GRIDSPAN_SPARSE(cusparseSpMM_preprocess)(cusparseHandle_t handle, cusparseOperation_t opA,
                                         cusparseOperation_t opB, const void* alpha,
                                         cusparseConstSpMatDescr_t matA,
                                         cusparseConstDnMatDescr_t matB, const void* beta,
                                         cusparseDnMatDescr_t matC, cudaDataType computeType,
                                         cusparseSpMMAlg_t alg, void* externalBuffer);
GRIDSPAN_SPARSE(cusparseSpMM)(cusparseHandle_t handle, cusparseOperation_t opA,
                              cusparseOperation_t opB, const void* alpha,
                              cusparseConstSpMatDescr_t matA, cusparseConstDnMatDescr_t matB,
                              const void* beta, cusparseDnMatDescr_t matC, cudaDataType computeType,
                              cusparseSpMMAlg_t alg, void* externalBuffer);
GRIDSPAN_SPARSE(cusparseSpMMOp_createPlan)(
    cusparseHandle_t handle, cusparseSpMMOpPlan_t* plan, cusparseOperation_t opA,
    cusparseOperation_t opB, cusparseConstSpMatDescr_t matA, cusparseConstDnMatDescr_t matB,
    cusparseDnMatDescr_t matC, cudaDataType computeType, cusparseSpMMOpAlg_t alg,
    const void* addOperationNvvmBuffer, size_t addOperationBufferSize,
    const void* mulOperationNvvmBuffer, size_t mulOperationBufferSize,
    const void* epilogueNvvmBuffer, size_t epilogueBufferSize, size_t* SpMMWorkspaceSize);
GRIDSPAN_SPARSE(cusparseSpMMOp)(cusparseSpMMOpPlan_t plan, void* externalBuffer);
GRIDSPAN_SPARSE(cusparseSpMMOp_destroyPlan)(cusparseSpMMOpPlan_t plan);

/* C = (op(A) op(B)) at the places of C, A and B dense */
GRIDSPAN_SPARSE(cusparseSDDMM_bufferSize)(cusparseHandle_t handle, cusparseOperation_t opA,
                                          cusparseOperation_t opB, const void* alpha,
                                          cusparseConstDnMatDescr_t matA,
                                          cusparseConstDnMatDescr_t matB, const void* beta,
                                          cusparseSpMatDescr_t matC, cudaDataType computeType,
                                          cusparseSDDMMAlg_t alg, size_t* bufferSize);
GRIDSPAN_SPARSE(cusparseSDDMM_preprocess)(cusparseHandle_t handle, cusparseOperation_t opA,
                                          cusparseOperation_t opB, const void* alpha,
                                          cusparseConstDnMatDescr_t matA,
                                          cusparseConstDnMatDescr_t matB, const void* beta,
                                          cusparseSpMatDescr_t matC, cudaDataType computeType,
                                          cusparseSDDMMAlg_t alg, void* externalBuffer);
GRIDSPAN_SPARSE(cusparseSDDMM)(cusparseHandle_t handle, cusparseOperation_t opA,
                               cusparseOperation_t opB, const void* alpha,
                               cusparseConstDnMatDescr_t matA, cusparseConstDnMatDescr_t matB,
                               const void* beta, cusparseSpMatDescr_t matC,
                               cudaDataType computeType, cusparseSDDMMAlg_t alg,
                               void* externalBuffer);

/* C = alpha op(A) op(B) + beta C, all sparse */
GRIDSPAN_SPARSE(cusparseSpGEMM_createDescr)(cusparseSpGEMMDescr_t* descr);
GRIDSPAN_SPARSE(cusparseSpGEMM_destroyDescr)(cusparseSpGEMMDescr_t descr);
GRIDSPAN_SPARSE(cusparseSpGEMM_workEstimation)(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void* alpha,
    cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB, const void* beta,
    cusparseSpMatDescr_t matC, cudaDataType computeType, cusparseSpGEMMAlg_t alg,
    cusparseSpGEMMDescr_t spgemmDescr, size_t* bufferSize1, void* externalBuffer1);
GRIDSPAN_SPARSE(cusparseSpGEMM_getNumProducts)(cusparseSpGEMMDescr_t spgemmDescr,
                                               int64_t* num_prods);
GRIDSPAN_SPARSE(cusparseSpGEMM_estimateMemory)(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void* alpha,
    cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB, const void* beta,
    cusparseSpMatDescr_t matC, cudaDataType computeType, cusparseSpGEMMAlg_t alg,
    cusparseSpGEMMDescr_t spgemmDescr, float chunk_fraction, size_t* bufferSize3,
    void* externalBuffer3, size_t* bufferSize2);
GRIDSPAN_SPARSE(cusparseSpGEMM_compute)(cusparseHandle_t handle, cusparseOperation_t opA,
                                        cusparseOperation_t opB, const void* alpha,
                                        cusparseConstSpMatDescr_t matA,
                                        cusparseConstSpMatDescr_t matB, const void* beta,
                                        cusparseSpMatDescr_t matC, cudaDataType computeType,
                                        cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t spgemmDescr,
                                        size_t* bufferSize2, void* externalBuffer2);
GRIDSPAN_SPARSE(cusparseSpGEMM_copy)(cusparseHandle_t handle, cusparseOperation_t opA,
                                     cusparseOperation_t opB, const void* alpha,
                                     cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB,
                                     const void* beta, cusparseSpMatDescr_t matC,
                                     cudaDataType computeType, cusparseSpGEMMAlg_t alg,
                                     cusparseSpGEMMDescr_t spgemmDescr);
GRIDSPAN_SPARSE(cusparseSpGEMMreuse_workEstimation)(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
    cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB, cusparseSpMatDescr_t matC,
    cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t spgemmDescr, size_t* bufferSize1,
    void* externalBuffer1);
GRIDSPAN_SPARSE(cusparseSpGEMMreuse_nnz)(cusparseHandle_t handle, cusparseOperation_t opA,
                                         cusparseOperation_t opB, cusparseConstSpMatDescr_t matA,
                                         cusparseConstSpMatDescr_t matB, cusparseSpMatDescr_t matC,
                                         cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t spgemmDescr,
                                         size_t* bufferSize2, void* externalBuffer2,
                                         size_t* bufferSize3, void* externalBuffer3,
                                         size_t* bufferSize4, void* externalBuffer4);
GRIDSPAN_SPARSE(cusparseSpGEMMreuse_copy)(cusparseHandle_t handle, cusparseOperation_t opA,
                                          cusparseOperation_t opB, cusparseConstSpMatDescr_t matA,
                                          cusparseConstSpMatDescr_t matB, cusparseSpMatDescr_t matC,
                                          cusparseSpGEMMAlg_t alg,
                                          cusparseSpGEMMDescr_t spgemmDescr, size_t* bufferSize5,
                                          void* externalBuffer5);
GRIDSPAN_SPARSE(cusparseSpGEMMreuse_compute)(cusparseHandle_t handle, cusparseOperation_t opA,
                                             cusparseOperation_t opB, const void* alpha,
                                             cusparseConstSpMatDescr_t matA,
                                             cusparseConstSpMatDescr_t matB, const void* beta,
                                             cusparseSpMatDescr_t matC, cudaDataType computeType,
                                             cusparseSpGEMMAlg_t alg,
                                             cusparseSpGEMMDescr_t spgemmDescr);
