// cuSOLVER: functions with 64-bit sizes, element types as arguments and a workspace on the device
// and on the host. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Part of cusolverDn.h.
#pragma once

GRIDSPAN_SOLVER(cusolverDnXpotrf_bufferSize)(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             cublasFillMode_t uplo, int64_t n,
                                             cudaDataType dataTypeA, const void* A, int64_t lda,
                                             cudaDataType computeType,
                                             size_t* workspaceInBytesOnDevice,
                                             size_t* workspaceInBytesOnHost);
GRIDSPAN_SOLVER(cusolverDnXpotrf)(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA, void* A,
                                  int64_t lda, cudaDataType computeType, void* bufferOnDevice,
                                  size_t workspaceInBytesOnDevice, void* bufferOnHost,
                                  size_t workspaceInBytesOnHost, int* info);
GRIDSPAN_SOLVER(cusolverDnXpotrs)(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  cublasFillMode_t uplo, int64_t n, int64_t nrhs,
                                  cudaDataType dataTypeA, const void* A, int64_t lda,
                                  cudaDataType dataTypeB, void* B, int64_t ldb, int* info);
GRIDSPAN_SOLVER(cusolverDnXgeqrf_bufferSize)(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             int64_t m, int64_t n, cudaDataType dataTypeA,
                                             const void* A, int64_t lda, cudaDataType dataTypeTau,
                                             const void* tau, cudaDataType computeType,
                                             size_t* workspaceInBytesOnDevice,
                                             size_t* workspaceInBytesOnHost);
GRIDSPAN_SOLVER(cusolverDnXgeqrf)(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m,
                                  int64_t n, cudaDataType dataTypeA, void* A, int64_t lda,
                                  cudaDataType dataTypeTau, void* tau, cudaDataType computeType,
                                  void* bufferOnDevice, size_t workspaceInBytesOnDevice,
                                  void* bufferOnHost, size_t workspaceInBytesOnHost, int* info);
GRIDSPAN_SOLVER(cusolverDnXgetrf_bufferSize)(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             int64_t m, int64_t n, cudaDataType dataTypeA,
                                             const void* A, int64_t lda, cudaDataType computeType,
                                             size_t* workspaceInBytesOnDevice,
                                             size_t* workspaceInBytesOnHost);
GRIDSPAN_SOLVER(cusolverDnXgetrf)(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m,
                                  int64_t n, cudaDataType dataTypeA, void* A, int64_t lda,
                                  int64_t* ipiv, cudaDataType computeType, void* bufferOnDevice,
                                  size_t workspaceInBytesOnDevice, void* bufferOnHost,
                                  size_t workspaceInBytesOnHost, int* info);
GRIDSPAN_SOLVER(cusolverDnXgetrs)(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  cublasOperation_t trans, int64_t n, int64_t nrhs,
                                  cudaDataType dataTypeA, const void* A, int64_t lda,
                                  const int64_t* ipiv, cudaDataType dataTypeB, void* B, int64_t ldb,
                                  int* info);
GRIDSPAN_SOLVER(cusolverDnXsyevd_bufferSize)(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                             int64_t n, cudaDataType dataTypeA, const void* A,
                                             int64_t lda, cudaDataType dataTypeW, const void* W,
                                             cudaDataType computeType,
                                             size_t* workspaceInBytesOnDevice,
                                             size_t* workspaceInBytesOnHost);
GRIDSPAN_SOLVER(cusolverDnXsyevd)(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                  cudaDataType dataTypeA, void* A, int64_t lda,
                                  cudaDataType dataTypeW, void* W, cudaDataType computeType,
                                  void* bufferOnDevice, size_t workspaceInBytesOnDevice,
                                  void* bufferOnHost, size_t workspaceInBytesOnHost, int* info);
GRIDSPAN_SOLVER(cusolverDnXsyevdx_bufferSize)(
    cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz,
    cusolverEigRange_t range, cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA,
    const void* A, int64_t lda, void* vl, void* vu, int64_t il, int64_t iu, int64_t* h_meig,
    cudaDataType dataTypeW, const void* W, cudaDataType computeType,
    size_t* workspaceInBytesOnDevice, size_t* workspaceInBytesOnHost);
GRIDSPAN_SOLVER(cusolverDnXsyevdx)(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                   cusolverEigMode_t jobz, cusolverEigRange_t range,
                                   cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA,
                                   void* A, int64_t lda, void* vl, void* vu, int64_t il, int64_t iu,
                                   int64_t* meig64, cudaDataType dataTypeW, void* W,
                                   cudaDataType computeType, void* bufferOnDevice,
                                   size_t workspaceInBytesOnDevice, void* bufferOnHost,
                                   size_t workspaceInBytesOnHost, int* info);
GRIDSPAN_SOLVER(cusolverDnXsyevBatched_bufferSize)(
    cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz,
    cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA, const void* A, int64_t lda,
    cudaDataType dataTypeW, const void* W, cudaDataType computeType,
    size_t* workspaceInBytesOnDevice, size_t* workspaceInBytesOnHost, int64_t batchSize);
GRIDSPAN_SOLVER(cusolverDnXsyevBatched)(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                        cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                        cudaDataType dataTypeA, void* A, int64_t lda,
                                        cudaDataType dataTypeW, void* W, cudaDataType computeType,
                                        void* bufferOnDevice, size_t workspaceInBytesOnDevice,
                                        void* bufferOnHost, size_t workspaceInBytesOnHost,
                                        int* info, int64_t batchSize);
GRIDSPAN_SOLVER(cusolverDnXgesvd_bufferSize)(
    cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu, signed char jobvt,
    int64_t m, int64_t n, cudaDataType dataTypeA, const void* A, int64_t lda,
    cudaDataType dataTypeS, const void* S, cudaDataType dataTypeU, const void* U, int64_t ldu,
    cudaDataType dataTypeVT, const void* VT, int64_t ldvt, cudaDataType computeType,
    size_t* workspaceInBytesOnDevice, size_t* workspaceInBytesOnHost);
GRIDSPAN_SOLVER(cusolverDnXgesvd)(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  signed char jobu, signed char jobvt, int64_t m, int64_t n,
                                  cudaDataType dataTypeA, void* A, int64_t lda,
                                  cudaDataType dataTypeS, void* S, cudaDataType dataTypeU, void* U,
                                  int64_t ldu, cudaDataType dataTypeVT, void* VT, int64_t ldvt,
                                  cudaDataType computeType, void* bufferOnDevice,
                                  size_t workspaceInBytesOnDevice, void* bufferOnHost,
                                  size_t workspaceInBytesOnHost, int* info);
GRIDSPAN_SOLVER(cusolverDnXgesvdp_bufferSize)(
    cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz, int econ,
    int64_t m, int64_t n, cudaDataType dataTypeA, const void* A, int64_t lda,
    cudaDataType dataTypeS, const void* S, cudaDataType dataTypeU, const void* U, int64_t ldu,
    cudaDataType dataTypeV, const void* V, int64_t ldv, cudaDataType computeType,
    size_t* workspaceInBytesOnDevice, size_t* workspaceInBytesOnHost);
GRIDSPAN_SOLVER(cusolverDnXgesvdp)(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                   cusolverEigMode_t jobz, int econ, int64_t m, int64_t n,
                                   cudaDataType dataTypeA, void* A, int64_t lda,
                                   cudaDataType dataTypeS, void* S, cudaDataType dataTypeU, void* U,
                                   int64_t ldu, cudaDataType dataTypeV, void* V, int64_t ldv,
                                   cudaDataType computeType, void* bufferOnDevice,
                                   size_t workspaceInBytesOnDevice, void* bufferOnHost,
                                   size_t workspaceInBytesOnHost, int* d_info, double* h_err_sigma);
GRIDSPAN_SOLVER(cusolverDnXgesvdr_bufferSize)(
    cusolverDnHandle_t handle, cusolverDnParams_t params, signed char jobu, signed char jobv,
    int64_t m, int64_t n, int64_t k, int64_t p, int64_t niters, cudaDataType dataTypeA,
    const void* A, int64_t lda, cudaDataType dataTypeSrand, const void* Srand,
    cudaDataType dataTypeUrand, const void* Urand, int64_t ldUrand, cudaDataType dataTypeVrand,
    const void* Vrand, int64_t ldVrand, cudaDataType computeType, size_t* workspaceInBytesOnDevice,
    size_t* workspaceInBytesOnHost);
GRIDSPAN_SOLVER(cusolverDnXgesvdr)(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                   signed char jobu, signed char jobv, int64_t m, int64_t n,
                                   int64_t k, int64_t p, int64_t niters, cudaDataType dataTypeA,
                                   void* A, int64_t lda, cudaDataType dataTypeSrand, void* Srand,
                                   cudaDataType dataTypeUrand, void* Urand, int64_t ldUrand,
                                   cudaDataType dataTypeVrand, void* Vrand, int64_t ldVrand,
                                   cudaDataType computeType, void* bufferOnDevice,
                                   size_t workspaceInBytesOnDevice, void* bufferOnHost,
                                   size_t workspaceInBytesOnHost, int* d_info);
GRIDSPAN_SOLVER(cusolverDnXgeev_bufferSize)(
    cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobvl,
    cusolverEigMode_t jobvr, int64_t n, cudaDataType dataTypeA, const void* A, int64_t lda,
    cudaDataType dataTypeW, const void* W, cudaDataType dataTypeVL, const void* VL, int64_t ldvl,
    cudaDataType dataTypeVR, const void* VR, int64_t ldvr, cudaDataType computeType,
    size_t* workspaceInBytesOnDevice, size_t* workspaceInBytesOnHost);
GRIDSPAN_SOLVER(cusolverDnXgeev)(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                 cusolverEigMode_t jobvl, cusolverEigMode_t jobvr, int64_t n,
                                 cudaDataType dataTypeA, void* A, int64_t lda,
                                 cudaDataType dataTypeW, void* W, cudaDataType dataTypeVL, void* VL,
                                 int64_t ldvl, cudaDataType dataTypeVR, void* VR, int64_t ldvr,
                                 cudaDataType computeType, void* bufferOnDevice,
                                 size_t workspaceInBytesOnDevice, void* bufferOnHost,
                                 size_t workspaceInBytesOnHost, int* info);
GRIDSPAN_SOLVER(cusolverDnXsytrs_bufferSize)(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                                             int64_t n, int64_t nrhs, cudaDataType dataTypeA,
                                             const void* A, int64_t lda, const int64_t* ipiv,
                                             cudaDataType dataTypeB, void* B, int64_t ldb,
                                             size_t* workspaceInBytesOnDevice,
                                             size_t* workspaceInBytesOnHost);
GRIDSPAN_SOLVER(cusolverDnXsytrs)(cusolverDnHandle_t handle, cublasFillMode_t uplo, int64_t n,
                                  int64_t nrhs, cudaDataType dataTypeA, const void* A, int64_t lda,
                                  const int64_t* ipiv, cudaDataType dataTypeB, void* B, int64_t ldb,
                                  void* bufferOnDevice, size_t workspaceInBytesOnDevice,
                                  void* bufferOnHost, size_t workspaceInBytesOnHost, int* info);
GRIDSPAN_SOLVER(cusolverDnXtrtri_bufferSize)(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                                             cublasDiagType_t diag, int64_t n,
                                             cudaDataType dataTypeA, void* A, int64_t lda,
                                             size_t* workspaceInBytesOnDevice,
                                             size_t* workspaceInBytesOnHost);
GRIDSPAN_SOLVER(cusolverDnXtrtri)(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                                  cublasDiagType_t diag, int64_t n, cudaDataType dataTypeA, void* A,
                                  int64_t lda, void* bufferOnDevice,
                                  size_t workspaceInBytesOnDevice, void* bufferOnHost,
                                  size_t workspaceInBytesOnHost, int* devInfo);
GRIDSPAN_SOLVER(cusolverDnXlarft_bufferSize)(
    cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverDirectMode_t direct,
    cusolverStorevMode_t storev, int64_t n, int64_t k, cudaDataType dataTypeV, const void* V,
    int64_t ldv, cudaDataType dataTypeTau, const void* tau, cudaDataType dataTypeT, void* T,
    int64_t ldt, cudaDataType computeType, size_t* workspaceInBytesOnDevice,
    size_t* workspaceInBytesOnHost);
GRIDSPAN_SOLVER(cusolverDnXlarft)(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  cusolverDirectMode_t direct, cusolverStorevMode_t storev,
                                  int64_t n, int64_t k, cudaDataType dataTypeV, const void* V,
                                  int64_t ldv, cudaDataType dataTypeTau, const void* tau,
                                  cudaDataType dataTypeT, void* T, int64_t ldt,
                                  cudaDataType computeType, void* bufferOnDevice,
                                  size_t workspaceInBytesOnDevice, void* bufferOnHost,
                                  size_t workspaceInBytesOnHost);

/* The same before CUDA 11.1, with a workspace on the device alone. */
GRIDSPAN_SOLVER(cusolverDnPotrf_bufferSize)(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                            cublasFillMode_t uplo, int64_t n,
                                            cudaDataType dataTypeA, const void* A, int64_t lda,
                                            cudaDataType computeType, size_t* workspaceInBytes);
GRIDSPAN_SOLVER(cusolverDnPotrf)(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                 cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA, void* A,
                                 int64_t lda, cudaDataType computeType, void* pBuffer,
                                 size_t workspaceInBytes, int* info);
GRIDSPAN_SOLVER(cusolverDnPotrs)(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                 cublasFillMode_t uplo, int64_t n, int64_t nrhs,
                                 cudaDataType dataTypeA, const void* A, int64_t lda,
                                 cudaDataType dataTypeB, void* B, int64_t ldb, int* info);
GRIDSPAN_SOLVER(cusolverDnGeqrf_bufferSize)(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                            int64_t m, int64_t n, cudaDataType dataTypeA,
                                            const void* A, int64_t lda, cudaDataType dataTypeTau,
                                            const void* tau, cudaDataType computeType,
                                            size_t* workspaceInBytes);
GRIDSPAN_SOLVER(cusolverDnGeqrf)(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m,
                                 int64_t n, cudaDataType dataTypeA, void* A, int64_t lda,
                                 cudaDataType dataTypeTau, void* tau, cudaDataType computeType,
                                 void* pBuffer, size_t workspaceInBytes, int* info);
GRIDSPAN_SOLVER(cusolverDnGetrf_bufferSize)(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                            int64_t m, int64_t n, cudaDataType dataTypeA,
                                            const void* A, int64_t lda, cudaDataType computeType,
                                            size_t* workspaceInBytes);
GRIDSPAN_SOLVER(cusolverDnGetrf)(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m,
                                 int64_t n, cudaDataType dataTypeA, void* A, int64_t lda,
                                 int64_t* ipiv, cudaDataType computeType, void* pBuffer,
                                 size_t workspaceInBytes, int* info);
GRIDSPAN_SOLVER(cusolverDnGetrs)(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                 cublasOperation_t trans, int64_t n, int64_t nrhs,
                                 cudaDataType dataTypeA, const void* A, int64_t lda,
                                 const int64_t* ipiv, cudaDataType dataTypeB, void* B, int64_t ldb,
                                 int* info);
GRIDSPAN_SOLVER(cusolverDnSyevd_bufferSize)(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                            cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                            int64_t n, cudaDataType dataTypeA, const void* A,
                                            int64_t lda, cudaDataType dataTypeW, const void* W,
                                            cudaDataType computeType, size_t* workspaceInBytes);
GRIDSPAN_SOLVER(cusolverDnSyevd)(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                 cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                 cudaDataType dataTypeA, void* A, int64_t lda,
                                 cudaDataType dataTypeW, void* W, cudaDataType computeType,
                                 void* pBuffer, size_t workspaceInBytes, int* info);
GRIDSPAN_SOLVER(cusolverDnSyevdx_bufferSize)(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             cusolverEigMode_t jobz, cusolverEigRange_t range,
                                             cublasFillMode_t uplo, int64_t n,
                                             cudaDataType dataTypeA, const void* A, int64_t lda,
                                             void* vl, void* vu, int64_t il, int64_t iu,
                                             int64_t* h_meig, cudaDataType dataTypeW, const void* W,
                                             cudaDataType computeType, size_t* workspaceInBytes);
GRIDSPAN_SOLVER(cusolverDnSyevdx)(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  cusolverEigMode_t jobz, cusolverEigRange_t range,
                                  cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA, void* A,
                                  int64_t lda, void* vl, void* vu, int64_t il, int64_t iu,
                                  int64_t* meig64, cudaDataType dataTypeW, void* W,
                                  cudaDataType computeType, void* pBuffer, size_t workspaceInBytes,
                                  int* info);
GRIDSPAN_SOLVER(cusolverDnGesvd_bufferSize)(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                            signed char jobu, signed char jobvt, int64_t m,
                                            int64_t n, cudaDataType dataTypeA, const void* A,
                                            int64_t lda, cudaDataType dataTypeS, const void* S,
                                            cudaDataType dataTypeU, const void* U, int64_t ldu,
                                            cudaDataType dataTypeVT, const void* VT, int64_t ldvt,
                                            cudaDataType computeType, size_t* workspaceInBytes);
GRIDSPAN_SOLVER(cusolverDnGesvd)(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                 signed char jobu, signed char jobvt, int64_t m, int64_t n,
                                 cudaDataType dataTypeA, void* A, int64_t lda,
                                 cudaDataType dataTypeS, void* S, cudaDataType dataTypeU, void* U,
                                 int64_t ldu, cudaDataType dataTypeVT, void* VT, int64_t ldvt,
                                 cudaDataType computeType, void* pBuffer, size_t workspaceInBytes,
                                 int* info);
