// cuBLAS: handles, modes, workspaces, logging, copies of vectors and matrices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "blas_families.h"
#include "blas_types.h"

GRIDSPAN_BLAS(cublasCreate_v2)(cublasHandle_t* handle);
GRIDSPAN_BLAS(cublasDestroy_v2)(cublasHandle_t handle);
GRIDSPAN_BLAS(cublasGetVersion_v2)(cublasHandle_t handle, int* version);
GRIDSPAN_BLAS(cublasGetProperty)(libraryPropertyType type, int* value);
CUBLASAPI size_t CUBLASWINAPI cublasGetCudartVersion(void);
GRIDSPAN_BLAS(cublasSetWorkspace_v2)(cublasHandle_t handle, void* workspace, size_t bytes);
GRIDSPAN_BLAS(cublasSetStream_v2)(cublasHandle_t handle, cudaStream_t streamId);
GRIDSPAN_BLAS(cublasGetStream_v2)(cublasHandle_t handle, cudaStream_t* streamId);
GRIDSPAN_BLAS(cublasGetPointerMode_v2)(cublasHandle_t handle, cublasPointerMode_t* mode);
GRIDSPAN_BLAS(cublasSetPointerMode_v2)(cublasHandle_t handle, cublasPointerMode_t mode);
GRIDSPAN_BLAS(cublasGetAtomicsMode)(cublasHandle_t handle, cublasAtomicsMode_t* mode);
GRIDSPAN_BLAS(cublasSetAtomicsMode)(cublasHandle_t handle, cublasAtomicsMode_t mode);
GRIDSPAN_BLAS(cublasGetMathMode)(cublasHandle_t handle, cublasMath_t* mode);
GRIDSPAN_BLAS(cublasSetMathMode)(cublasHandle_t handle, cublasMath_t mode);
GRIDSPAN_BLAS(cublasGetSmCountTarget)(cublasHandle_t handle, int* smCountTarget);
GRIDSPAN_BLAS(cublasSetSmCountTarget)(cublasHandle_t handle, int smCountTarget);
GRIDSPAN_BLAS(cublasGetEmulationStrategy)(cublasHandle_t handle,
                                          cublasEmulationStrategy_t* emulationStrategy);
GRIDSPAN_BLAS(cublasSetEmulationStrategy)(cublasHandle_t handle,
                                          cublasEmulationStrategy_t emulationStrategy);
GRIDSPAN_BLAS(cublasGetEmulationSpecialValuesSupport)(cublasHandle_t handle,
                                                      cudaEmulationSpecialValuesSupport* mask);
GRIDSPAN_BLAS(cublasSetEmulationSpecialValuesSupport)(cublasHandle_t handle,
                                                      cudaEmulationSpecialValuesSupport mask);
GRIDSPAN_BLAS(cublasGetFixedPointEmulationMantissaControl)(
    cublasHandle_t handle, cudaEmulationMantissaControl* mantissaControl);
GRIDSPAN_BLAS(cublasSetFixedPointEmulationMantissaControl)(
    cublasHandle_t handle, cudaEmulationMantissaControl mantissaControl);
GRIDSPAN_BLAS(cublasGetFixedPointEmulationMaxMantissaBitCount)(cublasHandle_t handle,
                                                               int* maxMantissaBitCount);
GRIDSPAN_BLAS(cublasSetFixedPointEmulationMaxMantissaBitCount)(cublasHandle_t handle,
                                                               int maxMantissaBitCount);
GRIDSPAN_BLAS(cublasGetFixedPointEmulationMantissaBitOffset)(cublasHandle_t handle,
                                                             int* mantissaBitOffset);
GRIDSPAN_BLAS(cublasSetFixedPointEmulationMantissaBitOffset)(cublasHandle_t handle,
                                                             int mantissaBitOffset);
GRIDSPAN_BLAS(cublasGetFixedPointEmulationMantissaBitCountPointer)(cublasHandle_t handle,
                                                                   int** mantissaBitCount);
GRIDSPAN_BLAS(cublasSetFixedPointEmulationMantissaBitCountPointer)(cublasHandle_t handle,
                                                                   int* mantissaBitCount);
CUBLASAPI const char* CUBLASWINAPI cublasGetStatusName(cublasStatus_t status);
CUBLASAPI const char* CUBLASWINAPI cublasGetStatusString(cublasStatus_t status);

GRIDSPAN_BLAS(cublasLoggerConfigure)(int logIsOn, int logToStdOut, int logToStdErr,
                                     const char* logFileName);
GRIDSPAN_BLAS(cublasSetLoggerCallback)(cublasLogCallback userCallback);
GRIDSPAN_BLAS(cublasGetLoggerCallback)(cublasLogCallback* userCallback);
CUBLASAPI void CUBLASWINAPI cublasXerbla(const char* srName, int info);

#define GRIDSPAN_BLAS_COPIES(w, I)                                                              \
  GRIDSPAN_BLAS(cublasSetVector##w)                                                             \
  (I n, I elemSize, const void* x, I incx, void* devicePtr, I incy);                            \
  GRIDSPAN_BLAS(cublasGetVector##w)                                                             \
  (I n, I elemSize, const void* x, I incx, void* y, I incy);                                    \
  GRIDSPAN_BLAS(cublasSetMatrix##w)                                                             \
  (I rows, I cols, I elemSize, const void* A, I lda, void* B, I ldb);                           \
  GRIDSPAN_BLAS(cublasGetMatrix##w)                                                             \
  (I rows, I cols, I elemSize, const void* A, I lda, void* B, I ldb);                           \
  GRIDSPAN_BLAS(cublasSetVectorAsync##w)                                                        \
  (I n, I elemSize, const void* hostPtr, I incx, void* devicePtr, I incy, cudaStream_t stream); \
  GRIDSPAN_BLAS(cublasGetVectorAsync##w)                                                        \
  (I n, I elemSize, const void* devicePtr, I incx, void* hostPtr, I incy, cudaStream_t stream); \
  GRIDSPAN_BLAS(cublasSetMatrixAsync##w)                                                        \
  (I rows, I cols, I elemSize, const void* A, I lda, void* B, I ldb, cudaStream_t stream);      \
  GRIDSPAN_BLAS(cublasGetMatrixAsync##w)                                                        \
  (I rows, I cols, I elemSize, const void* A, I lda, void* B, I ldb, cudaStream_t stream);
GRIDSPAN_BLAS_COPIES(, int)
GRIDSPAN_BLAS_COPIES(_64, int64_t)
#undef GRIDSPAN_BLAS_COPIES

#include "blas_families_end.h"
