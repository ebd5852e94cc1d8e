// Linear algebra (cuBLAS) as before CUDA 4: no handles, numbers by value, a status that is asked
// for. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#if defined(CUBLAS_V2_H_)
#error "cublas.h is the interface of cuBLAS before CUDA 4: include it or cublas_v2.h"
#endif
#define CUBLAS_H_

#include "cublas_api.h"

#if defined(__cplusplus)
extern "C" {
#endif

#define cublasStatus cublasStatus_t

CUBLASAPI cublasStatus_t CUBLASWINAPI cublasInit(void);
CUBLASAPI cublasStatus_t CUBLASWINAPI cublasShutdown(void);
CUBLASAPI cublasStatus_t CUBLASWINAPI cublasGetError(void);
CUBLASAPI cublasStatus_t CUBLASWINAPI cublasGetVersion(int* version);
CUBLASAPI cublasStatus_t CUBLASWINAPI cublasAlloc(int n, int elemSize, void** devicePtr);
CUBLASAPI cublasStatus_t CUBLASWINAPI cublasFree(void* devicePtr);
CUBLASAPI cublasStatus_t CUBLASWINAPI cublasSetKernelStream(cudaStream_t stream);

#include "gridspan/blas_v1.h"

#if defined(__cplusplus)
}
#endif
