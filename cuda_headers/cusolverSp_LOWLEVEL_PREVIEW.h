// Sparse solvers (cuSOLVER) step by step: analysis, factors, solution.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#define CUSOLVERSP_LOWLEVEL_PREVIEW_H_

#include "cusolverSp.h"

#if defined(__cplusplus)
extern "C" {
#endif

struct csrluInfoHost;
typedef struct csrluInfoHost* csrluInfoHost_t;
struct csrqrInfoHost;
typedef struct csrqrInfoHost* csrqrInfoHost_t;
struct csrcholInfoHost;
typedef struct csrcholInfoHost* csrcholInfoHost_t;
struct csrcholInfo;
typedef struct csrcholInfo* csrcholInfo_t;

#define GRIDSPAN_SOLVER(name) cusolverStatus_t CUSOLVERAPI name

GRIDSPAN_SOLVER(cusolverSpCreateCsrluInfoHost)(csrluInfoHost_t* info);
GRIDSPAN_SOLVER(cusolverSpDestroyCsrluInfoHost)(csrluInfoHost_t info);
GRIDSPAN_SOLVER(cusolverSpCreateCsrqrInfoHost)(csrqrInfoHost_t* info);
GRIDSPAN_SOLVER(cusolverSpDestroyCsrqrInfoHost)(csrqrInfoHost_t info);
GRIDSPAN_SOLVER(cusolverSpCreateCsrcholInfoHost)(csrcholInfoHost_t* info);
GRIDSPAN_SOLVER(cusolverSpDestroyCsrcholInfoHost)(csrcholInfoHost_t info);
GRIDSPAN_SOLVER(cusolverSpCreateCsrcholInfo)(csrcholInfo_t* info);
GRIDSPAN_SOLVER(cusolverSpDestroyCsrcholInfo)(csrcholInfo_t info);

GRIDSPAN_SOLVER(cusolverSpXcsrluAnalysisHost)(cusolverSpHandle_t handle, int n, int nnzA,
                                              const cusparseMatDescr_t descrA,
                                              const int* csrRowPtrA, const int* csrColIndA,
                                              csrluInfoHost_t info);
GRIDSPAN_SOLVER(cusolverSpXcsrluNnzHost)(cusolverSpHandle_t handle, int* nnzLRef, int* nnzURef,
                                         csrluInfoHost_t info);
#define GRIDSPAN_SOLVER_LU(letter, T, R)                                                           \
  GRIDSPAN_SOLVER(cusolverSp##letter##csrluBufferInfoHost)                                         \
  (cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA, const T* csrValA,  \
   const int* csrRowPtrA, const int* csrColIndA, csrluInfoHost_t info,                             \
   size_t* internalDataInBytes, size_t* workspaceInBytes);                                         \
  GRIDSPAN_SOLVER(cusolverSp##letter##csrluFactorHost)                                             \
  (cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA, const T* csrValA,  \
   const int* csrRowPtrA, const int* csrColIndA, csrluInfoHost_t info, R pivot_threshold,          \
   void* pBuffer);                                                                                 \
  GRIDSPAN_SOLVER(cusolverSp##letter##csrluZeroPivotHost)                                          \
  (cusolverSpHandle_t handle, csrluInfoHost_t info, R tol, int* position);                         \
  GRIDSPAN_SOLVER(cusolverSp##letter##csrluSolveHost)                                              \
  (cusolverSpHandle_t handle, int n, const T* b, T* x, csrluInfoHost_t info, void* pBuffer);       \
  GRIDSPAN_SOLVER(cusolverSp##letter##csrluExtractHost)                                            \
  (cusolverSpHandle_t handle, int* P, int* Q, const cusparseMatDescr_t descrL, T* csrValL,         \
   int* csrRowPtrL, int* csrColIndL, const cusparseMatDescr_t descrU, T* csrValU, int* csrRowPtrU, \
   int* csrColIndU, csrluInfoHost_t info, void* pBuffer);
GRIDSPAN_SOLVER_LU(S, float, float)
GRIDSPAN_SOLVER_LU(D, double, double)
GRIDSPAN_SOLVER_LU(C, cuComplex, float)
GRIDSPAN_SOLVER_LU(Z, cuDoubleComplex, double)
#undef GRIDSPAN_SOLVER_LU

GRIDSPAN_SOLVER(cusolverSpXcsrqrAnalysisHost)(cusolverSpHandle_t handle, int m, int n, int nnzA,
                                              const cusparseMatDescr_t descrA,
                                              const int* csrRowPtrA, const int* csrColIndA,
                                              csrqrInfoHost_t info);
GRIDSPAN_SOLVER(cusolverSpXcsrcholAnalysisHost)(cusolverSpHandle_t handle, int n, int nnzA,
                                                const cusparseMatDescr_t descrA,
                                                const int* csrRowPtrA, const int* csrColIndA,
                                                csrcholInfoHost_t info);
#define GRIDSPAN_SOLVER_FACTORS(letter, T, R)                                                     \
  GRIDSPAN_SOLVER(cusolverSp##letter##csrqrBufferInfoHost)                                        \
  (cusolverSpHandle_t handle, int m, int n, int nnzA, const cusparseMatDescr_t descrA,            \
   const T* csrValA, const int* csrRowPtrA, const int* csrColIndA, csrqrInfoHost_t info,          \
   size_t* internalDataInBytes, size_t* workspaceInBytes);                                        \
  GRIDSPAN_SOLVER(cusolverSp##letter##csrqrSetupHost)                                             \
  (cusolverSpHandle_t handle, int m, int n, int nnzA, const cusparseMatDescr_t descrA,            \
   const T* csrValA, const int* csrRowPtrA, const int* csrColIndA, T mu, csrqrInfoHost_t info);   \
  GRIDSPAN_SOLVER(cusolverSp##letter##csrqrFactorHost)                                            \
  (cusolverSpHandle_t handle, int m, int n, int nnzA, T* b, T* x, csrqrInfoHost_t info,           \
   void* pBuffer);                                                                                \
  GRIDSPAN_SOLVER(cusolverSp##letter##csrqrZeroPivotHost)                                         \
  (cusolverSpHandle_t handle, csrqrInfoHost_t info, R tol, int* position);                        \
  GRIDSPAN_SOLVER(cusolverSp##letter##csrqrSolveHost)                                             \
  (cusolverSpHandle_t handle, int m, int n, T* b, T* x, csrqrInfoHost_t info, void* pBuffer);     \
  GRIDSPAN_SOLVER(cusolverSp##letter##csrcholBufferInfoHost)                                      \
  (cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA, const T* csrValA, \
   const int* csrRowPtrA, const int* csrColIndA, csrcholInfoHost_t info,                          \
   size_t* internalDataInBytes, size_t* workspaceInBytes);                                        \
  GRIDSPAN_SOLVER(cusolverSp##letter##csrcholFactorHost)                                          \
  (cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA, const T* csrValA, \
   const int* csrRowPtrA, const int* csrColIndA, csrcholInfoHost_t info, void* pBuffer);          \
  GRIDSPAN_SOLVER(cusolverSp##letter##csrcholZeroPivotHost)                                       \
  (cusolverSpHandle_t handle, csrcholInfoHost_t info, R tol, int* position);                      \
  GRIDSPAN_SOLVER(cusolverSp##letter##csrcholSolveHost)                                           \
  (cusolverSpHandle_t handle, int n, const T* b, T* x, csrcholInfoHost_t info, void* pBuffer);
GRIDSPAN_SOLVER_FACTORS(S, float, float)
GRIDSPAN_SOLVER_FACTORS(D, double, double)
GRIDSPAN_SOLVER_FACTORS(C, cuComplex, float)
GRIDSPAN_SOLVER_FACTORS(Z, cuDoubleComplex, double)
#undef GRIDSPAN_SOLVER_FACTORS

GRIDSPAN_SOLVER(cusolverSpXcsrqrAnalysis)(cusolverSpHandle_t handle, int m, int n, int nnzA,
                                          const cusparseMatDescr_t descrA, const int* csrRowPtrA,
                                          const int* csrColIndA, csrqrInfo_t info);
GRIDSPAN_SOLVER(cusolverSpXcsrcholAnalysis)(cusolverSpHandle_t handle, int n, int nnzA,
                                            const cusparseMatDescr_t descrA, const int* csrRowPtrA,
                                            const int* csrColIndA, csrcholInfo_t info);
#define GRIDSPAN_SOLVER_FACTORS(letter, T, R)                                                     \
  GRIDSPAN_SOLVER(cusolverSp##letter##csrqrBufferInfo)                                            \
  (cusolverSpHandle_t handle, int m, int n, int nnzA, const cusparseMatDescr_t descrA,            \
   const T* csrValA, const int* csrRowPtrA, const int* csrColIndA, csrqrInfo_t info,              \
   size_t* internalDataInBytes, size_t* workspaceInBytes);                                        \
  GRIDSPAN_SOLVER(cusolverSp##letter##csrqrSetup)                                                 \
  (cusolverSpHandle_t handle, int m, int n, int nnzA, const cusparseMatDescr_t descrA,            \
   const T* csrValA, const int* csrRowPtrA, const int* csrColIndA, T mu, csrqrInfo_t info);       \
  GRIDSPAN_SOLVER(cusolverSp##letter##csrqrFactor)                                                \
  (cusolverSpHandle_t handle, int m, int n, int nnzA, T* b, T* x, csrqrInfo_t info,               \
   void* pBuffer);                                                                                \
  GRIDSPAN_SOLVER(cusolverSp##letter##csrqrZeroPivot)                                             \
  (cusolverSpHandle_t handle, csrqrInfo_t info, R tol, int* position);                            \
  GRIDSPAN_SOLVER(cusolverSp##letter##csrqrSolve)                                                 \
  (cusolverSpHandle_t handle, int m, int n, T* b, T* x, csrqrInfo_t info, void* pBuffer);         \
  GRIDSPAN_SOLVER(cusolverSp##letter##csrcholBufferInfo)                                          \
  (cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA, const T* csrValA, \
   const int* csrRowPtrA, const int* csrColIndA, csrcholInfo_t info, size_t* internalDataInBytes, \
   size_t* workspaceInBytes);                                                                     \
  GRIDSPAN_SOLVER(cusolverSp##letter##csrcholFactor)                                              \
  (cusolverSpHandle_t handle, int n, int nnzA, const cusparseMatDescr_t descrA, const T* csrValA, \
   const int* csrRowPtrA, const int* csrColIndA, csrcholInfo_t info, void* pBuffer);              \
  GRIDSPAN_SOLVER(cusolverSp##letter##csrcholZeroPivot)                                           \
  (cusolverSpHandle_t handle, csrcholInfo_t info, R tol, int* position);                          \
  GRIDSPAN_SOLVER(cusolverSp##letter##csrcholSolve)                                               \
  (cusolverSpHandle_t handle, int n, const T* b, T* x, csrcholInfo_t info, void* pBuffer);        \
  GRIDSPAN_SOLVER(cusolverSp##letter##csrcholDiag)                                                \
  (cusolverSpHandle_t handle, csrcholInfo_t info, R * diag);
GRIDSPAN_SOLVER_FACTORS(S, float, float)
GRIDSPAN_SOLVER_FACTORS(D, double, double)
GRIDSPAN_SOLVER_FACTORS(C, cuComplex, float)
GRIDSPAN_SOLVER_FACTORS(Z, cuDoubleComplex, double)
#undef GRIDSPAN_SOLVER_FACTORS

#undef GRIDSPAN_SOLVER

#if defined(__cplusplus)
}
#endif
