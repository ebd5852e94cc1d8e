// cuSOLVER: factors of dense matrices, and what is solved with them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Part of cusolverDn.h. A family is a macro of the letter and the type of elements, and of their
// real type.
#pragma once

#define GRIDSPAN_SOLVER_POTRF(letter, T)                                                          \
  GRIDSPAN_SOLVER(cusolverDn##letter##potrf_bufferSize)                                           \
  (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* A, int lda, int* Lwork);           \
  GRIDSPAN_SOLVER(cusolverDn##letter##potrf)                                                      \
  (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* A, int lda, T* Workspace,          \
   int Lwork, int* devInfo);                                                                      \
  GRIDSPAN_SOLVER(cusolverDn##letter##potrs)                                                      \
  (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs, const T* A, int lda, T* B,  \
   int ldb, int* devInfo);                                                                        \
  GRIDSPAN_SOLVER(cusolverDn##letter##potrfBatched)                                               \
  (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* Aarray[], int lda, int* infoArray, \
   int batchSize);                                                                                \
  GRIDSPAN_SOLVER(cusolverDn##letter##potrsBatched)                                               \
  (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int nrhs, T* A[], int lda, T* B[],    \
   int ldb, int* d_info, int batchSize);                                                          \
  GRIDSPAN_SOLVER(cusolverDn##letter##potri_bufferSize)                                           \
  (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* A, int lda, int* lwork);           \
  GRIDSPAN_SOLVER(cusolverDn##letter##potri)                                                      \
  (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* A, int lda, T* work, int lwork,    \
   int* devInfo);                                                                                 \
  GRIDSPAN_SOLVER(cusolverDn##letter##lauum_bufferSize)                                           \
  (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* A, int lda, int* lwork);           \
  GRIDSPAN_SOLVER(cusolverDn##letter##lauum)                                                      \
  (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* A, int lda, T* work, int lwork,    \
   int* devInfo);
GRIDSPAN_SOLVER_POTRF(S, float)
GRIDSPAN_SOLVER_POTRF(D, double)
GRIDSPAN_SOLVER_POTRF(C, cuComplex)
GRIDSPAN_SOLVER_POTRF(Z, cuDoubleComplex)
#undef GRIDSPAN_SOLVER_POTRF

#define GRIDSPAN_SOLVER_GETRF(letter, T)                                                           \
  GRIDSPAN_SOLVER(cusolverDn##letter##getrf_bufferSize)                                            \
  (cusolverDnHandle_t handle, int m, int n, T* A, int lda, int* Lwork);                            \
  GRIDSPAN_SOLVER(cusolverDn##letter##getrf)                                                       \
  (cusolverDnHandle_t handle, int m, int n, T* A, int lda, T* Workspace, int* devIpiv,             \
   int* devInfo);                                                                                  \
  GRIDSPAN_SOLVER(cusolverDn##letter##laswp)                                                       \
  (cusolverDnHandle_t handle, int n, T* A, int lda, int k1, int k2, const int* devIpiv, int incx); \
  GRIDSPAN_SOLVER(cusolverDn##letter##getrs)                                                       \
  (cusolverDnHandle_t handle, cublasOperation_t trans, int n, int nrhs, const T* A, int lda,       \
   const int* devIpiv, T* B, int ldb, int* devInfo);                                               \
  GRIDSPAN_SOLVER(cusolverDn##letter##sytrf_bufferSize)                                            \
  (cusolverDnHandle_t handle, int n, T* A, int lda, int* lwork);                                   \
  GRIDSPAN_SOLVER(cusolverDn##letter##sytrf)                                                       \
  (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* A, int lda, int* ipiv, T* work,     \
   int lwork, int* info);                                                                          \
  GRIDSPAN_SOLVER(cusolverDn##letter##sytri_bufferSize)                                            \
  (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* A, int lda, const int* ipiv,        \
   int* lwork);                                                                                    \
  GRIDSPAN_SOLVER(cusolverDn##letter##sytri)                                                       \
  (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* A, int lda, const int* ipiv,        \
   T* work, int lwork, int* info);
GRIDSPAN_SOLVER_GETRF(S, float)
GRIDSPAN_SOLVER_GETRF(D, double)
GRIDSPAN_SOLVER_GETRF(C, cuComplex)
GRIDSPAN_SOLVER_GETRF(Z, cuDoubleComplex)
#undef GRIDSPAN_SOLVER_GETRF

#define GRIDSPAN_SOLVER_GEQRF(letter, T, R)                                                        \
  GRIDSPAN_SOLVER(cusolverDn##letter##geqrf_bufferSize)                                            \
  (cusolverDnHandle_t handle, int m, int n, T* A, int lda, int* lwork);                            \
  GRIDSPAN_SOLVER(cusolverDn##letter##geqrf)                                                       \
  (cusolverDnHandle_t handle, int m, int n, T* A, int lda, T* TAU, T* Workspace, int Lwork,        \
   int* devInfo);                                                                                  \
  GRIDSPAN_SOLVER(cusolverDn##letter##gebrd_bufferSize)                                            \
  (cusolverDnHandle_t handle, int m, int n, int* Lwork);                                           \
  GRIDSPAN_SOLVER(cusolverDn##letter##gebrd)                                                       \
  (cusolverDnHandle_t handle, int m, int n, T* A, int lda, R* Dg, R* E, T* TAUQ, T* TAUP, T* Work, \
   int Lwork, int* devInfo);
GRIDSPAN_SOLVER_GEQRF(S, float, float)
GRIDSPAN_SOLVER_GEQRF(D, double, double)
GRIDSPAN_SOLVER_GEQRF(C, cuComplex, float)
GRIDSPAN_SOLVER_GEQRF(Z, cuDoubleComplex, double)
#undef GRIDSPAN_SOLVER_GEQRF

/* Orthogonal matrices (unitary ones of complex numbers, or_ and un_ in the names) out of
 * reflectors, and products with them. */
#define GRIDSPAN_SOLVER_ORTHOGONAL(letter, T)                                                      \
  GRIDSPAN_SOLVER(cusolverDn##letter##orgqr_bufferSize)                                            \
  (cusolverDnHandle_t handle, int m, int n, int k, const T* A, int lda, const T* tau, int* lwork); \
  GRIDSPAN_SOLVER(cusolverDn##letter##orgqr)                                                       \
  (cusolverDnHandle_t handle, int m, int n, int k, T* A, int lda, const T* tau, T* work,           \
   int lwork, int* info);                                                                          \
  GRIDSPAN_SOLVER(cusolverDn##letter##ormqr_bufferSize)                                            \
  (cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m, int n, int k, \
   const T* A, int lda, const T* tau, const T* C, int ldc, int* lwork);                            \
  GRIDSPAN_SOLVER(cusolverDn##letter##ormqr)                                                       \
  (cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m, int n, int k, \
   const T* A, int lda, const T* tau, T* C, int ldc, T* work, int lwork, int* devInfo);            \
  GRIDSPAN_SOLVER(cusolverDn##letter##orgbr_bufferSize)                                            \
  (cusolverDnHandle_t handle, cublasSideMode_t side, int m, int n, int k, const T* A, int lda,     \
   const T* tau, int* lwork);                                                                      \
  GRIDSPAN_SOLVER(cusolverDn##letter##orgbr)                                                       \
  (cusolverDnHandle_t handle, cublasSideMode_t side, int m, int n, int k, T* A, int lda,           \
   const T* tau, T* work, int lwork, int* info);                                                   \
  GRIDSPAN_SOLVER(cusolverDn##letter##orgtr_bufferSize)                                            \
  (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, const T* A, int lda, const T* tau,     \
   int* lwork);                                                                                    \
  GRIDSPAN_SOLVER(cusolverDn##letter##orgtr)                                                       \
  (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* A, int lda, const T* tau, T* work,  \
   int lwork, int* info);                                                                          \
  GRIDSPAN_SOLVER(cusolverDn##letter##ormtr_bufferSize)                                            \
  (cusolverDnHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,                        \
   cublasOperation_t trans, int m, int n, const T* A, int lda, const T* tau, const T* C, int ldc,  \
   int* lwork);                                                                                    \
  GRIDSPAN_SOLVER(cusolverDn##letter##ormtr)                                                       \
  (cusolverDnHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,                        \
   cublasOperation_t trans, int m, int n, T* A, int lda, T* tau, T* C, int ldc, T* work,           \
   int lwork, int* info);
GRIDSPAN_SOLVER_ORTHOGONAL(S, float)
GRIDSPAN_SOLVER_ORTHOGONAL(D, double)
#undef GRIDSPAN_SOLVER_ORTHOGONAL
#define GRIDSPAN_SOLVER_UNITARY(letter, T)                                                         \
  GRIDSPAN_SOLVER(cusolverDn##letter##ungqr_bufferSize)                                            \
  (cusolverDnHandle_t handle, int m, int n, int k, const T* A, int lda, const T* tau, int* lwork); \
  GRIDSPAN_SOLVER(cusolverDn##letter##ungqr)                                                       \
  (cusolverDnHandle_t handle, int m, int n, int k, T* A, int lda, const T* tau, T* work,           \
   int lwork, int* info);                                                                          \
  GRIDSPAN_SOLVER(cusolverDn##letter##unmqr_bufferSize)                                            \
  (cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m, int n, int k, \
   const T* A, int lda, const T* tau, const T* C, int ldc, int* lwork);                            \
  GRIDSPAN_SOLVER(cusolverDn##letter##unmqr)                                                       \
  (cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m, int n, int k, \
   const T* A, int lda, const T* tau, T* C, int ldc, T* work, int lwork, int* devInfo);            \
  GRIDSPAN_SOLVER(cusolverDn##letter##ungbr_bufferSize)                                            \
  (cusolverDnHandle_t handle, cublasSideMode_t side, int m, int n, int k, const T* A, int lda,     \
   const T* tau, int* lwork);                                                                      \
  GRIDSPAN_SOLVER(cusolverDn##letter##ungbr)                                                       \
  (cusolverDnHandle_t handle, cublasSideMode_t side, int m, int n, int k, T* A, int lda,           \
   const T* tau, T* work, int lwork, int* info);                                                   \
  GRIDSPAN_SOLVER(cusolverDn##letter##ungtr_bufferSize)                                            \
  (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, const T* A, int lda, const T* tau,     \
   int* lwork);                                                                                    \
  GRIDSPAN_SOLVER(cusolverDn##letter##ungtr)                                                       \
  (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* A, int lda, const T* tau, T* work,  \
   int lwork, int* info);                                                                          \
  GRIDSPAN_SOLVER(cusolverDn##letter##unmtr_bufferSize)                                            \
  (cusolverDnHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,                        \
   cublasOperation_t trans, int m, int n, const T* A, int lda, const T* tau, const T* C, int ldc,  \
   int* lwork);                                                                                    \
  GRIDSPAN_SOLVER(cusolverDn##letter##unmtr)                                                       \
  (cusolverDnHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,                        \
   cublasOperation_t trans, int m, int n, T* A, int lda, T* tau, T* C, int ldc, T* work,           \
   int lwork, int* info);
GRIDSPAN_SOLVER_UNITARY(C, cuComplex)
GRIDSPAN_SOLVER_UNITARY(Z, cuDoubleComplex)
#undef GRIDSPAN_SOLVER_UNITARY
