// Sparse solvers (cuSOLVER). Link with -lcusolver.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#define CUSOLVERSP_H_

#include "cusolver_common.h"
#include "cusparse.h"

#if defined(__cplusplus)
extern "C" {
#endif

struct cusolverSpContext;
typedef struct cusolverSpContext* cusolverSpHandle_t;
struct csrqrInfo;
typedef struct csrqrInfo* csrqrInfo_t;

/* A family is a macro of the letter and the type of elements, and of their real type. Names that
   end in Host take host memory. */
#define GRIDSPAN_SOLVER(name) cusolverStatus_t CUSOLVERAPI name

GRIDSPAN_SOLVER(cusolverSpCreate)(cusolverSpHandle_t* handle);
GRIDSPAN_SOLVER(cusolverSpDestroy)(cusolverSpHandle_t handle);
GRIDSPAN_SOLVER(cusolverSpSetStream)(cusolverSpHandle_t handle, cudaStream_t streamId);
GRIDSPAN_SOLVER(cusolverSpGetStream)(cusolverSpHandle_t handle, cudaStream_t* streamId);
GRIDSPAN_SOLVER(cusolverSpCreateCsrqrInfo)(csrqrInfo_t* info);
GRIDSPAN_SOLVER(cusolverSpDestroyCsrqrInfo)(csrqrInfo_t info);
GRIDSPAN_SOLVER(cusolverSpXcsrissymHost)(cusolverSpHandle_t handle, int m, int nnzA,
                                         const cusparseMatDescr_t descrA, const int* csrRowPtrA,
                                         const int* csrEndPtrA, const int* csrColIndA, int* issym);
GRIDSPAN_SOLVER(cusolverSpXcsrsymrcmHost)(cusolverSpHandle_t handle, int n, int nnzA,
                                          const cusparseMatDescr_t descrA, const int* csrRowPtrA,
                                          const int* csrColIndA, int* p);
GRIDSPAN_SOLVER(cusolverSpXcsrsymmdqHost)(cusolverSpHandle_t handle, int n, int nnzA,
                                          const cusparseMatDescr_t descrA, const int* csrRowPtrA,
                                          const int* csrColIndA, int* p);
GRIDSPAN_SOLVER(cusolverSpXcsrsymamdHost)(cusolverSpHandle_t handle, int n, int nnzA,
                                          const cusparseMatDescr_t descrA, const int* csrRowPtrA,
                                          const int* csrColIndA, int* p);
GRIDSPAN_SOLVER(cusolverSpXcsrmetisndHost)(cusolverSpHandle_t handle, int n, int nnzA,
                                           const cusparseMatDescr_t descrA, const int* csrRowPtrA,
                                           const int* csrColIndA, const int64_t* options, int* p);
GRIDSPAN_SOLVER(cusolverSpXcsrperm_bufferSizeHost)(cusolverSpHandle_t handle, int m, int n,
                                                   int nnzA, const cusparseMatDescr_t descrA,
                                                   const int* csrRowPtrA, const int* csrColIndA,
                                                   const int* p, const int* q,
                                                   size_t* bufferSizeInBytes);
GRIDSPAN_SOLVER(cusolverSpXcsrpermHost)(cusolverSpHandle_t handle, int m, int n, int nnzA,
                                        const cusparseMatDescr_t descrA, int* csrRowPtrA,
                                        int* csrColIndA, const int* p, const int* q, int* map,
                                        void* pBuffer);
GRIDSPAN_SOLVER(cusolverSpXcsrqrAnalysisBatched)(cusolverSpHandle_t handle, int m, int n, int nnzA,
                                                 const cusparseMatDescr_t descrA,
                                                 const int* csrRowPtrA, const int* csrColIndA,
                                                 csrqrInfo_t info);

#define GRIDSPAN_SOLVER_SPARSE(letter, T, R)                                                      \
  GRIDSPAN_SOLVER(cusolverSp##letter##csrlsvluHost)                                               \
  (cusolverSpHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, const T* csrValA,  \
   const int* csrRowPtrA, const int* csrColIndA, const T* b, R tol, int reorder, T* x,            \
   int* singularity);                                                                             \
  GRIDSPAN_SOLVER(cusolverSp##letter##csrlsvqr)                                                   \
  (cusolverSpHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, const T* csrValA,  \
   const int* csrRowPtrA, const int* csrColIndA, const T* b, R tol, int reorder, T* x,            \
   int* singularity);                                                                             \
  GRIDSPAN_SOLVER(cusolverSp##letter##csrlsvqrHost)                                               \
  (cusolverSpHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, const T* csrValA,  \
   const int* csrRowPtrA, const int* csrColIndA, const T* b, R tol, int reorder, T* x,            \
   int* singularity);                                                                             \
  GRIDSPAN_SOLVER(cusolverSp##letter##csrlsvchol)                                                 \
  (cusolverSpHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, const T* csrValA,  \
   const int* csrRowPtrA, const int* csrColIndA, const T* b, R tol, int reorder, T* x,            \
   int* singularity);                                                                             \
  GRIDSPAN_SOLVER(cusolverSp##letter##csrlsvcholHost)                                             \
  (cusolverSpHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, const T* csrValA,  \
   const int* csrRowPtrA, const int* csrColIndA, const T* b, R tol, int reorder, T* x,            \
   int* singularity);                                                                             \
  GRIDSPAN_SOLVER(cusolverSp##letter##csrlsqvqrHost)                                              \
  (cusolverSpHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t descrA,             \
   const T* csrValA, const int* csrRowPtrA, const int* csrColIndA, const T* b, R tol, int* rankA, \
   T* x, int* p, R* min_norm);                                                                    \
  GRIDSPAN_SOLVER(cusolverSp##letter##csreigvsiHost)                                              \
  (cusolverSpHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, const T* csrValA,  \
   const int* csrRowPtrA, const int* csrColIndA, T mu0, const T* x0, int maxite, R tol, T* mu,    \
   T* x);                                                                                         \
  GRIDSPAN_SOLVER(cusolverSp##letter##csreigvsi)                                                  \
  (cusolverSpHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, const T* csrValA,  \
   const int* csrRowPtrA, const int* csrColIndA, T mu0, const T* x0, int maxite, R eps, T* mu,    \
   T* x);                                                                                         \
  GRIDSPAN_SOLVER(cusolverSp##letter##csrzfdHost)                                                 \
  (cusolverSpHandle_t handle, int n, int nnz, const cusparseMatDescr_t descrA, const T* csrValA,  \
   const int* csrRowPtrA, const int* csrColIndA, int* P, int* numnz);                             \
  GRIDSPAN_SOLVER(cusolverSp##letter##csrqrBufferInfoBatched)                                     \
  (cusolverSpHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t descrA,             \
   const T* csrValA, const int* csrRowPtrA, const int* csrColIndA, int batchSize,                 \
   csrqrInfo_t info, size_t* internalDataInBytes, size_t* workspaceInBytes);                      \
  GRIDSPAN_SOLVER(cusolverSp##letter##csrqrsvBatched)                                             \
  (cusolverSpHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t descrA,             \
   const T* csrValA, const int* csrRowPtrA, const int* csrColIndA, const T* b, T* x,              \
   int batchSize, csrqrInfo_t info, void* pBuffer);
GRIDSPAN_SOLVER_SPARSE(S, float, float)
GRIDSPAN_SOLVER_SPARSE(D, double, double)
GRIDSPAN_SOLVER_SPARSE(C, cuComplex, float)
GRIDSPAN_SOLVER_SPARSE(Z, cuDoubleComplex, double)
#undef GRIDSPAN_SOLVER_SPARSE

#define GRIDSPAN_SOLVER_EIGENVALUES(letter, T, complex)                                          \
  GRIDSPAN_SOLVER(cusolverSp##letter##csreigsHost)                                               \
  (cusolverSpHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, const T* csrValA, \
   const int* csrRowPtrA, const int* csrColIndA, complex left_bottom_corner,                     \
   complex right_upper_corner, int* num_eigs);
GRIDSPAN_SOLVER_EIGENVALUES(S, float, cuComplex)
GRIDSPAN_SOLVER_EIGENVALUES(D, double, cuDoubleComplex)
GRIDSPAN_SOLVER_EIGENVALUES(C, cuComplex, cuComplex)
GRIDSPAN_SOLVER_EIGENVALUES(Z, cuDoubleComplex, cuDoubleComplex)
#undef GRIDSPAN_SOLVER_EIGENVALUES

#undef GRIDSPAN_SOLVER

#if defined(__cplusplus)
}
#endif
