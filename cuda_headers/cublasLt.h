// Products of matrices with layouts and epilogues (cuBLASLt). Link with -lcublasLt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "cublas_api.h"
#include "gridspan/blas_lt_types.h"

#if defined(__cplusplus)
extern "C" {
#endif

cublasStatus_t CUBLASWINAPI cublasLtCreate(cublasLtHandle_t* lightHandle);
cublasStatus_t CUBLASWINAPI cublasLtDestroy(cublasLtHandle_t lightHandle);
const char* CUBLASWINAPI cublasLtGetStatusName(cublasStatus_t status);
const char* CUBLASWINAPI cublasLtGetStatusString(cublasStatus_t status);
size_t CUBLASWINAPI cublasLtGetVersion(void);
size_t CUBLASWINAPI cublasLtGetCudartVersion(void);
cublasStatus_t CUBLASWINAPI cublasLtGetProperty(libraryPropertyType type, int* value);
cublasStatus_t CUBLASWINAPI cublasLtHeuristicsCacheGetCapacity(size_t* capacity);
cublasStatus_t CUBLASWINAPI cublasLtHeuristicsCacheSetCapacity(size_t capacity);
unsigned CUBLASWINAPI cublasLtDisableCpuInstructionsSetMask(unsigned mask);

cublasStatus_t CUBLASWINAPI cublasLtMatmul(
    cublasLtHandle_t lightHandle, cublasLtMatmulDesc_t computeDesc, const void* alpha,
    const void* A, cublasLtMatrixLayout_t Adesc, const void* B, cublasLtMatrixLayout_t Bdesc,
    const void* beta, const void* C, cublasLtMatrixLayout_t Cdesc, void* D,
    cublasLtMatrixLayout_t Ddesc, const cublasLtMatmulAlgo_t* algo, void* workspace,
    size_t workspaceSizeInBytes, cudaStream_t stream);
cublasStatus_t CUBLASWINAPI cublasLtMatrixTransform(
    cublasLtHandle_t lightHandle, cublasLtMatrixTransformDesc_t transformDesc, const void* alpha,
    const void* A, cublasLtMatrixLayout_t Adesc, const void* beta, const void* B,
    cublasLtMatrixLayout_t Bdesc, void* C, cublasLtMatrixLayout_t Cdesc, cudaStream_t stream);

/* Five kinds of descriptors with functions of the same names: Init in memory of the program (below,
   by the size of the struct), Create, Destroy, and attributes. sizeWritten gives the size that is
   needed if sizeInBytes is 0. */
cublasStatus_t CUBLASWINAPI cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t matLayout,
                                                              size_t size, cudaDataType type,
                                                              uint64_t rows, uint64_t cols,
                                                              int64_t ld);
cublasStatus_t CUBLASWINAPI cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* matLayout,
                                                       cudaDataType type, uint64_t rows,
                                                       uint64_t cols, int64_t ld);
cublasStatus_t CUBLASWINAPI cublasLtGroupedMatrixLayoutInit_internal(
    cublasLtMatrixLayout_t matLayout, size_t size, cudaDataType type, int groupCount,
    const void* rows_array, const void* cols_array, const void* ld_array);
cublasStatus_t CUBLASWINAPI cublasLtGroupedMatrixLayoutCreate(cublasLtMatrixLayout_t* matLayout,
                                                              cudaDataType type, int groupCount,
                                                              const void* rows_array,
                                                              const void* cols_array,
                                                              const void* ld_array);
cublasStatus_t CUBLASWINAPI
cublasLtEmulationDescInit_internal(cublasLtEmulationDesc_t emulationDesc, size_t size);
cublasStatus_t CUBLASWINAPI cublasLtEmulationDescCreate(cublasLtEmulationDesc_t* emulationDesc);
cublasStatus_t CUBLASWINAPI cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t matmulDesc,
                                                            size_t size,
                                                            cublasComputeType_t computeType,
                                                            cudaDataType_t scaleType);
cublasStatus_t CUBLASWINAPI cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* matmulDesc,
                                                     cublasComputeType_t computeType,
                                                     cudaDataType_t scaleType);
cublasStatus_t CUBLASWINAPI cublasLtMatrixTransformDescInit_internal(
    cublasLtMatrixTransformDesc_t transformDesc, size_t size, cudaDataType scaleType);
cublasStatus_t CUBLASWINAPI cublasLtMatrixTransformDescCreate(
    cublasLtMatrixTransformDesc_t* transformDesc, cudaDataType scaleType);
cublasStatus_t CUBLASWINAPI cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t pref,
                                                                  size_t size);
cublasStatus_t CUBLASWINAPI cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* pref);
#define GRIDSPAN_LT_DESCRIPTOR(Name, attribute)                                            \
  cublasStatus_t CUBLASWINAPI cublasLt##Name##Destroy(cublasLt##Name##_t descriptor);      \
  cublasStatus_t CUBLASWINAPI cublasLt##Name##SetAttribute(                                \
      cublasLt##Name##_t descriptor, attribute attr, const void* buf, size_t sizeInBytes); \
  cublasStatus_t CUBLASWINAPI cublasLt##Name##GetAttribute(                                \
      cublasLt##Name##_t descriptor, attribute attr, void* buf, size_t sizeInBytes,        \
      size_t* sizeWritten);
GRIDSPAN_LT_DESCRIPTOR(MatrixLayout, cublasLtMatrixLayoutAttribute_t)
GRIDSPAN_LT_DESCRIPTOR(MatmulDesc, cublasLtMatmulDescAttributes_t)
GRIDSPAN_LT_DESCRIPTOR(MatrixTransformDesc, cublasLtMatrixTransformDescAttributes_t)
GRIDSPAN_LT_DESCRIPTOR(MatmulPreference, cublasLtMatmulPreferenceAttributes_t)
GRIDSPAN_LT_DESCRIPTOR(EmulationDesc, cublasLtEmulationDescAttributes_t)
#undef GRIDSPAN_LT_DESCRIPTOR

/* Algorithms. */
cublasStatus_t CUBLASWINAPI cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t lightHandle, cublasLtMatmulDesc_t operationDesc, cublasLtMatrixLayout_t Adesc,
    cublasLtMatrixLayout_t Bdesc, cublasLtMatrixLayout_t Cdesc, cublasLtMatrixLayout_t Ddesc,
    cublasLtMatmulPreference_t preference, int requestedAlgoCount,
    cublasLtMatmulHeuristicResult_t heuristicResultsArray[], int* returnAlgoCount);
cublasStatus_t CUBLASWINAPI cublasLtMatmulAlgoGetHeuristicForStream(
    cublasLtHandle_t lightHandle, cublasLtMatmulDesc_t operationDesc, cublasLtMatrixLayout_t Adesc,
    cublasLtMatrixLayout_t Bdesc, cublasLtMatrixLayout_t Cdesc, cublasLtMatrixLayout_t Ddesc,
    cublasLtMatmulPreference_t preference, int requestedAlgoCount,
    cublasLtMatmulHeuristicResult_t heuristicResultsArray[], int* returnAlgoCount,
    cudaStream_t stream);
cublasStatus_t CUBLASWINAPI cublasLtMatmulAlgoGetIds(cublasLtHandle_t lightHandle,
                                                     cublasComputeType_t computeType,
                                                     cudaDataType_t scaleType, cudaDataType_t Atype,
                                                     cudaDataType_t Btype, cudaDataType_t Ctype,
                                                     cudaDataType_t Dtype, int requestedAlgoCount,
                                                     int algoIdsArray[], int* returnAlgoCount);
cublasStatus_t CUBLASWINAPI cublasLtMatmulAlgoInit(cublasLtHandle_t lightHandle,
                                                   cublasComputeType_t computeType,
                                                   cudaDataType_t scaleType, cudaDataType_t Atype,
                                                   cudaDataType_t Btype, cudaDataType_t Ctype,
                                                   cudaDataType_t Dtype, int algoId,
                                                   cublasLtMatmulAlgo_t* algo);
cublasStatus_t CUBLASWINAPI cublasLtMatmulAlgoCheck(
    cublasLtHandle_t lightHandle, cublasLtMatmulDesc_t operationDesc, cublasLtMatrixLayout_t Adesc,
    cublasLtMatrixLayout_t Bdesc, cublasLtMatrixLayout_t Cdesc, cublasLtMatrixLayout_t Ddesc,
    const cublasLtMatmulAlgo_t* algo, cublasLtMatmulHeuristicResult_t* result);
cublasStatus_t CUBLASWINAPI cublasLtMatmulAlgoCapGetAttribute(
    const cublasLtMatmulAlgo_t* algo, cublasLtMatmulAlgoCapAttributes_t attr, void* buf,
    size_t sizeInBytes, size_t* sizeWritten);
cublasStatus_t CUBLASWINAPI cublasLtMatmulAlgoConfigSetAttribute(
    cublasLtMatmulAlgo_t* algo, cublasLtMatmulAlgoConfigAttributes_t attr, const void* buf,
    size_t sizeInBytes);
cublasStatus_t CUBLASWINAPI cublasLtMatmulAlgoConfigGetAttribute(
    const cublasLtMatmulAlgo_t* algo, cublasLtMatmulAlgoConfigAttributes_t attr, void* buf,
    size_t sizeInBytes, size_t* sizeWritten);

cublasStatus_t CUBLASWINAPI cublasLtLoggerSetCallback(cublasLtLoggerCallback_t callback);
cublasStatus_t CUBLASWINAPI cublasLtLoggerSetFile(FILE* file);
cublasStatus_t CUBLASWINAPI cublasLtLoggerOpenFile(const char* logFile);
cublasStatus_t CUBLASWINAPI cublasLtLoggerSetLevel(int level);
cublasStatus_t CUBLASWINAPI cublasLtLoggerSetMask(int mask);
cublasStatus_t CUBLASWINAPI cublasLtLoggerForceDisable(void);

static inline cublasStatus_t cublasLtMatrixLayoutInit(cublasLtMatrixLayout_t matLayout,
                                                      cudaDataType type, uint64_t rows,
                                                      uint64_t cols, int64_t ld) {
  return cublasLtMatrixLayoutInit_internal(matLayout, sizeof(*matLayout), type, rows, cols, ld);
}
static inline cublasStatus_t cublasLtGroupedMatrixLayoutInit(cublasLtMatrixLayout_t matLayout,
                                                             cudaDataType type, int groupCount,
                                                             const void* rows_array,
                                                             const void* cols_array,
                                                             const void* ld_array) {
  return cublasLtGroupedMatrixLayoutInit_internal(matLayout, sizeof(*matLayout), type, groupCount,
                                                  rows_array, cols_array, ld_array);
}
static inline cublasStatus_t cublasLtEmulationDescInit(cublasLtEmulationDesc_t emulationDesc) {
  return cublasLtEmulationDescInit_internal(emulationDesc, sizeof(*emulationDesc));
}
static inline cublasStatus_t cublasLtMatmulDescInit(cublasLtMatmulDesc_t matmulDesc,
                                                    cublasComputeType_t computeType,
                                                    cudaDataType_t scaleType) {
  return cublasLtMatmulDescInit_internal(matmulDesc, sizeof(*matmulDesc), computeType, scaleType);
}
static inline cublasStatus_t cublasLtMatrixTransformDescInit(
    cublasLtMatrixTransformDesc_t transformDesc, cudaDataType scaleType) {
  return cublasLtMatrixTransformDescInit_internal(transformDesc, sizeof(*transformDesc), scaleType);
}
static inline cublasStatus_t cublasLtMatmulPreferenceInit(cublasLtMatmulPreference_t pref) {
  return cublasLtMatmulPreferenceInit_internal(pref, sizeof(*pref));
}

#if defined(__cplusplus)
}
#endif
