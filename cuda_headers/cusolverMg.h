// Dense solvers of matrices that several devices hold (cuSOLVER Mg). Link with -lcusolverMg.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#define CUSOLVERMG_H_

#include <stdint.h>

#include "cusolverDn.h"

#if defined(__cplusplus)
extern "C" {
#endif

struct cusolverMgContext;
typedef struct cusolverMgContext* cusolverMgHandle_t;

typedef enum {
  CUDALIBMG_GRID_MAPPING_COL_MAJOR = 0,
  CUDALIBMG_GRID_MAPPING_ROW_MAJOR = 1
} cusolverMgGridMapping_t;

/* Devices in one row. */
typedef void* cudaLibMgGrid_t;
/* Columns in blocks, one device after the other; every device has whole columns. */
typedef void* cudaLibMgMatrixDesc_t;

#define GRIDSPAN_MG(name) cusolverStatus_t name

GRIDSPAN_MG(cusolverMgCreate)(cusolverMgHandle_t* handle);
GRIDSPAN_MG(cusolverMgDestroy)(cusolverMgHandle_t handle);
GRIDSPAN_MG(cusolverMgDeviceSelect)(cusolverMgHandle_t handle, int nbDevices, int deviceId[]);
GRIDSPAN_MG(cusolverMgCreateDeviceGrid)(cudaLibMgGrid_t* grid, int32_t numRowDevices,
                                        int32_t numColDevices, const int32_t deviceId[],
                                        cusolverMgGridMapping_t mapping);
GRIDSPAN_MG(cusolverMgDestroyGrid)(cudaLibMgGrid_t grid);
GRIDSPAN_MG(cusolverMgCreateMatrixDesc)(cudaLibMgMatrixDesc_t* desc, int64_t numRows,
                                        int64_t numCols, int64_t rowBlockSize, int64_t colBlockSize,
                                        cudaDataType dataType, const cudaLibMgGrid_t grid);
GRIDSPAN_MG(cusolverMgDestroyMatrixDesc)(cudaLibMgMatrixDesc_t desc);

/* IA, JA: the first row and column, from 1. info is in host memory. */
GRIDSPAN_MG(cusolverMgSyevd_bufferSize)(cusolverMgHandle_t handle, cusolverEigMode_t jobz,
                                        cublasFillMode_t uplo, int N, void* array_d_A[], int IA,
                                        int JA, cudaLibMgMatrixDesc_t descrA, void* W,
                                        cudaDataType dataTypeW, cudaDataType computeType,
                                        int64_t* lwork);
GRIDSPAN_MG(cusolverMgSyevd)(cusolverMgHandle_t handle, cusolverEigMode_t jobz,
                             cublasFillMode_t uplo, int N, void* array_d_A[], int IA, int JA,
                             cudaLibMgMatrixDesc_t descrA, void* W, cudaDataType dataTypeW,
                             cudaDataType computeType, void* array_d_work[], int64_t lwork,
                             int* info);
GRIDSPAN_MG(cusolverMgGetrf_bufferSize)(cusolverMgHandle_t handle, int M, int N, void* array_d_A[],
                                        int IA, int JA, cudaLibMgMatrixDesc_t descrA,
                                        int* array_d_IPIV[], cudaDataType computeType,
                                        int64_t* lwork);
GRIDSPAN_MG(cusolverMgGetrf)(cusolverMgHandle_t handle, int M, int N, void* array_d_A[], int IA,
                             int JA, cudaLibMgMatrixDesc_t descrA, int* array_d_IPIV[],
                             cudaDataType computeType, void* array_d_work[], int64_t lwork,
                             int* info);
GRIDSPAN_MG(cusolverMgGetrs_bufferSize)(cusolverMgHandle_t handle, cublasOperation_t TRANS, int N,
                                        int NRHS, void* array_d_A[], int IA, int JA,
                                        cudaLibMgMatrixDesc_t descrA, int* array_d_IPIV[],
                                        void* array_d_B[], int IB, int JB,
                                        cudaLibMgMatrixDesc_t descrB, cudaDataType computeType,
                                        int64_t* lwork);
GRIDSPAN_MG(cusolverMgGetrs)(cusolverMgHandle_t handle, cublasOperation_t TRANS, int N, int NRHS,
                             void* array_d_A[], int IA, int JA, cudaLibMgMatrixDesc_t descrA,
                             int* array_d_IPIV[], void* array_d_B[], int IB, int JB,
                             cudaLibMgMatrixDesc_t descrB, cudaDataType computeType,
                             void* array_d_work[], int64_t lwork, int* info);
GRIDSPAN_MG(cusolverMgPotrf_bufferSize)(cusolverMgHandle_t handle, cublasFillMode_t uplo, int N,
                                        void* array_d_A[], int IA, int JA,
                                        cudaLibMgMatrixDesc_t descrA, cudaDataType computeType,
                                        int64_t* lwork);
GRIDSPAN_MG(cusolverMgPotrf)(cusolverMgHandle_t handle, cublasFillMode_t uplo, int N,
                             void* array_d_A[], int IA, int JA, cudaLibMgMatrixDesc_t descrA,
                             cudaDataType computeType, void* array_d_work[], int64_t lwork,
                             int* h_info);
GRIDSPAN_MG(cusolverMgPotrs_bufferSize)(cusolverMgHandle_t handle, cublasFillMode_t uplo, int n,
                                        int nrhs, void* array_d_A[], int IA, int JA,
                                        cudaLibMgMatrixDesc_t descrA, void* array_d_B[], int IB,
                                        int JB, cudaLibMgMatrixDesc_t descrB,
                                        cudaDataType computeType, int64_t* lwork);
GRIDSPAN_MG(cusolverMgPotrs)(cusolverMgHandle_t handle, cublasFillMode_t uplo, int n, int nrhs,
                             void* array_d_A[], int IA, int JA, cudaLibMgMatrixDesc_t descrA,
                             void* array_d_B[], int IB, int JB, cudaLibMgMatrixDesc_t descrB,
                             cudaDataType computeType, void* array_d_work[], int64_t lwork,
                             int* h_info);
GRIDSPAN_MG(cusolverMgPotri_bufferSize)(cusolverMgHandle_t handle, cublasFillMode_t uplo, int N,
                                        void* array_d_A[], int IA, int JA,
                                        cudaLibMgMatrixDesc_t descrA, cudaDataType computeType,
                                        int64_t* lwork);
GRIDSPAN_MG(cusolverMgPotri)(cusolverMgHandle_t handle, cublasFillMode_t uplo, int N,
                             void* array_d_A[], int IA, int JA, cudaLibMgMatrixDesc_t descrA,
                             cudaDataType computeType, void* array_d_work[], int64_t lwork,
                             int* h_info);

#undef GRIDSPAN_MG

#if defined(__cplusplus)
}
#endif
