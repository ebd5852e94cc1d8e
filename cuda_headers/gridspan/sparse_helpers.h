// cuSPARSE: handles, logging, descriptors of the legacy functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sparse_types.h"

GRIDSPAN_SPARSE(cusparseCreate)(cusparseHandle_t* handle);
GRIDSPAN_SPARSE(cusparseDestroy)(cusparseHandle_t handle);
GRIDSPAN_SPARSE(cusparseGetVersion)(cusparseHandle_t handle, int* version);
GRIDSPAN_SPARSE(cusparseGetProperty)(libraryPropertyType type, int* value);
const char* CUSPARSEAPI cusparseGetErrorName(cusparseStatus_t status);
const char* CUSPARSEAPI cusparseGetErrorString(cusparseStatus_t status);
GRIDSPAN_SPARSE(cusparseSetStream)(cusparseHandle_t handle, cudaStream_t streamId);
GRIDSPAN_SPARSE(cusparseGetStream)(cusparseHandle_t handle, cudaStream_t* streamId);
GRIDSPAN_SPARSE(cusparseGetPointerMode)(cusparseHandle_t handle, cusparsePointerMode_t* mode);
GRIDSPAN_SPARSE(cusparseSetPointerMode)(cusparseHandle_t handle, cusparsePointerMode_t mode);

GRIDSPAN_SPARSE(cusparseLoggerSetCallback)(cusparseLoggerCallback_t callback);
GRIDSPAN_SPARSE(cusparseLoggerSetFile)(FILE* file);
GRIDSPAN_SPARSE(cusparseLoggerOpenFile)(const char* logFile);
GRIDSPAN_SPARSE(cusparseLoggerSetLevel)(int level);
GRIDSPAN_SPARSE(cusparseLoggerSetMask)(int mask);
GRIDSPAN_SPARSE(cusparseLoggerForceDisable)(void);

GRIDSPAN_SPARSE(cusparseCreateMatDescr)(cusparseMatDescr_t* descrA);
GRIDSPAN_SPARSE(cusparseDestroyMatDescr)(cusparseMatDescr_t descrA);
GRIDSPAN_SPARSE(cusparseSetMatType)(cusparseMatDescr_t descrA, cusparseMatrixType_t type);
cusparseMatrixType_t CUSPARSEAPI cusparseGetMatType(const cusparseMatDescr_t descrA);
GRIDSPAN_SPARSE(cusparseSetMatFillMode)(cusparseMatDescr_t descrA, cusparseFillMode_t fillMode);
cusparseFillMode_t CUSPARSEAPI cusparseGetMatFillMode(const cusparseMatDescr_t descrA);
GRIDSPAN_SPARSE(cusparseSetMatDiagType)(cusparseMatDescr_t descrA, cusparseDiagType_t diagType);
cusparseDiagType_t CUSPARSEAPI cusparseGetMatDiagType(const cusparseMatDescr_t descrA);
GRIDSPAN_SPARSE(cusparseSetMatIndexBase)(cusparseMatDescr_t descrA, cusparseIndexBase_t base);
cusparseIndexBase_t CUSPARSEAPI cusparseGetMatIndexBase(const cusparseMatDescr_t descrA);

#define GRIDSPAN_SPARSE_INFO(name, type)              \
  GRIDSPAN_SPARSE(cusparseCreate##name)(type * info); \
  GRIDSPAN_SPARSE(cusparseDestroy##name)(type info);
GRIDSPAN_SPARSE_INFO(Csric02Info, csric02Info_t)
GRIDSPAN_SPARSE_INFO(Bsric02Info, bsric02Info_t)
GRIDSPAN_SPARSE_INFO(Csrilu02Info, csrilu02Info_t)
GRIDSPAN_SPARSE_INFO(Bsrilu02Info, bsrilu02Info_t)
GRIDSPAN_SPARSE_INFO(Bsrsv2Info, bsrsv2Info_t)
GRIDSPAN_SPARSE_INFO(Bsrsm2Info, bsrsm2Info_t)
GRIDSPAN_SPARSE_INFO(Csru2csrInfo, csru2csrInfo_t)
GRIDSPAN_SPARSE_INFO(ColorInfo, cusparseColorInfo_t)
GRIDSPAN_SPARSE_INFO(PruneInfo, pruneInfo_t)
#undef GRIDSPAN_SPARSE_INFO
