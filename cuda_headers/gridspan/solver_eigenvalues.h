// cuSOLVER: eigenvalues and singular values.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Part of cusolverDn.h. A family is a macro of the letter and the type of elements, and of their
// real type.
#pragma once

#define GRIDSPAN_SOLVER_SYMMETRIC(letter, T, R)                                                    \
  GRIDSPAN_SOLVER(cusolverDn##letter##sytrd_bufferSize)                                            \
  (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, const T* A, int lda, const R* d,       \
   const R* e, const T* tau, int* lwork);                                                          \
  GRIDSPAN_SOLVER(cusolverDn##letter##sytrd)                                                       \
  (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* A, int lda, R* d, R* e, T* tau,     \
   T* work, int lwork, int* info);                                                                 \
  GRIDSPAN_SOLVER(cusolverDn##letter##syevd_bufferSize)                                            \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, const T* A,    \
   int lda, const R* W, int* lwork);                                                               \
  GRIDSPAN_SOLVER(cusolverDn##letter##syevd)                                                       \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T* A, int lda, \
   R* W, T* work, int lwork, int* info);                                                           \
  GRIDSPAN_SOLVER(cusolverDn##letter##syevdx_bufferSize)                                           \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cusolverEigRange_t range,                    \
   cublasFillMode_t uplo, int n, const T* A, int lda, R vl, R vu, int il, int iu, int* meig,       \
   const R* W, int* lwork);                                                                        \
  GRIDSPAN_SOLVER(cusolverDn##letter##syevdx)                                                      \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cusolverEigRange_t range,                    \
   cublasFillMode_t uplo, int n, T* A, int lda, R vl, R vu, int il, int iu, int* meig, R* W,       \
   T* work, int lwork, int* info);                                                                 \
  GRIDSPAN_SOLVER(cusolverDn##letter##syevj_bufferSize)                                            \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, const T* A,    \
   int lda, const R* W, int* lwork, syevjInfo_t params);                                           \
  GRIDSPAN_SOLVER(cusolverDn##letter##syevj)                                                       \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T* A, int lda, \
   R* W, T* work, int lwork, int* info, syevjInfo_t params);                                       \
  GRIDSPAN_SOLVER(cusolverDn##letter##syevjBatched_bufferSize)                                     \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, const T* A,    \
   int lda, const R* W, int* lwork, syevjInfo_t params, int batchSize);                            \
  GRIDSPAN_SOLVER(cusolverDn##letter##syevjBatched)                                                \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T* A, int lda, \
   R* W, T* work, int lwork, int* info, syevjInfo_t params, int batchSize);                        \
  GRIDSPAN_SOLVER(cusolverDn##letter##sygvd_bufferSize)                                            \
  (cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,                     \
   cublasFillMode_t uplo, int n, const T* A, int lda, const T* B, int ldb, const R* W,             \
   int* lwork);                                                                                    \
  GRIDSPAN_SOLVER(cusolverDn##letter##sygvd)                                                       \
  (cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,                     \
   cublasFillMode_t uplo, int n, T* A, int lda, T* B, int ldb, R* W, T* work, int lwork,           \
   int* info);                                                                                     \
  GRIDSPAN_SOLVER(cusolverDn##letter##sygvdx_bufferSize)                                           \
  (cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,                     \
   cusolverEigRange_t range, cublasFillMode_t uplo, int n, const T* A, int lda, const T* B,        \
   int ldb, R vl, R vu, int il, int iu, int* meig, const R* W, int* lwork);                        \
  GRIDSPAN_SOLVER(cusolverDn##letter##sygvdx)                                                      \
  (cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,                     \
   cusolverEigRange_t range, cublasFillMode_t uplo, int n, T* A, int lda, T* B, int ldb, R vl,     \
   R vu, int il, int iu, int* meig, R* W, T* work, int lwork, int* info);                          \
  GRIDSPAN_SOLVER(cusolverDn##letter##sygvj_bufferSize)                                            \
  (cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,                     \
   cublasFillMode_t uplo, int n, const T* A, int lda, const T* B, int ldb, const R* W, int* lwork, \
   syevjInfo_t params);                                                                            \
  GRIDSPAN_SOLVER(cusolverDn##letter##sygvj)                                                       \
  (cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,                     \
   cublasFillMode_t uplo, int n, T* A, int lda, T* B, int ldb, R* W, T* work, int lwork,           \
   int* info, syevjInfo_t params);
GRIDSPAN_SOLVER_SYMMETRIC(S, float, float)
GRIDSPAN_SOLVER_SYMMETRIC(D, double, double)
#undef GRIDSPAN_SOLVER_SYMMETRIC
#define GRIDSPAN_SOLVER_HERMITIAN(letter, T, R)                                                    \
  GRIDSPAN_SOLVER(cusolverDn##letter##hetrd_bufferSize)                                            \
  (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, const T* A, int lda, const R* d,       \
   const R* e, const T* tau, int* lwork);                                                          \
  GRIDSPAN_SOLVER(cusolverDn##letter##hetrd)                                                       \
  (cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* A, int lda, R* d, R* e, T* tau,     \
   T* work, int lwork, int* info);                                                                 \
  GRIDSPAN_SOLVER(cusolverDn##letter##heevd_bufferSize)                                            \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, const T* A,    \
   int lda, const R* W, int* lwork);                                                               \
  GRIDSPAN_SOLVER(cusolverDn##letter##heevd)                                                       \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T* A, int lda, \
   R* W, T* work, int lwork, int* info);                                                           \
  GRIDSPAN_SOLVER(cusolverDn##letter##heevdx_bufferSize)                                           \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cusolverEigRange_t range,                    \
   cublasFillMode_t uplo, int n, const T* A, int lda, R vl, R vu, int il, int iu, int* meig,       \
   const R* W, int* lwork);                                                                        \
  GRIDSPAN_SOLVER(cusolverDn##letter##heevdx)                                                      \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cusolverEigRange_t range,                    \
   cublasFillMode_t uplo, int n, T* A, int lda, R vl, R vu, int il, int iu, int* meig, R* W,       \
   T* work, int lwork, int* info);                                                                 \
  GRIDSPAN_SOLVER(cusolverDn##letter##heevj_bufferSize)                                            \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, const T* A,    \
   int lda, const R* W, int* lwork, syevjInfo_t params);                                           \
  GRIDSPAN_SOLVER(cusolverDn##letter##heevj)                                                       \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T* A, int lda, \
   R* W, T* work, int lwork, int* info, syevjInfo_t params);                                       \
  GRIDSPAN_SOLVER(cusolverDn##letter##heevjBatched_bufferSize)                                     \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, const T* A,    \
   int lda, const R* W, int* lwork, syevjInfo_t params, int batchSize);                            \
  GRIDSPAN_SOLVER(cusolverDn##letter##heevjBatched)                                                \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T* A, int lda, \
   R* W, T* work, int lwork, int* info, syevjInfo_t params, int batchSize);                        \
  GRIDSPAN_SOLVER(cusolverDn##letter##hegvd_bufferSize)                                            \
  (cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,                     \
   cublasFillMode_t uplo, int n, const T* A, int lda, const T* B, int ldb, const R* W,             \
   int* lwork);                                                                                    \
  GRIDSPAN_SOLVER(cusolverDn##letter##hegvd)                                                       \
  (cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,                     \
   cublasFillMode_t uplo, int n, T* A, int lda, T* B, int ldb, R* W, T* work, int lwork,           \
   int* info);                                                                                     \
  GRIDSPAN_SOLVER(cusolverDn##letter##hegvdx_bufferSize)                                           \
  (cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,                     \
   cusolverEigRange_t range, cublasFillMode_t uplo, int n, const T* A, int lda, const T* B,        \
   int ldb, R vl, R vu, int il, int iu, int* meig, const R* W, int* lwork);                        \
  GRIDSPAN_SOLVER(cusolverDn##letter##hegvdx)                                                      \
  (cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,                     \
   cusolverEigRange_t range, cublasFillMode_t uplo, int n, T* A, int lda, T* B, int ldb, R vl,     \
   R vu, int il, int iu, int* meig, R* W, T* work, int lwork, int* info);                          \
  GRIDSPAN_SOLVER(cusolverDn##letter##hegvj_bufferSize)                                            \
  (cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,                     \
   cublasFillMode_t uplo, int n, const T* A, int lda, const T* B, int ldb, const R* W, int* lwork, \
   syevjInfo_t params);                                                                            \
  GRIDSPAN_SOLVER(cusolverDn##letter##hegvj)                                                       \
  (cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,                     \
   cublasFillMode_t uplo, int n, T* A, int lda, T* B, int ldb, R* W, T* work, int lwork,           \
   int* info, syevjInfo_t params);
GRIDSPAN_SOLVER_HERMITIAN(C, cuComplex, float)
GRIDSPAN_SOLVER_HERMITIAN(Z, cuDoubleComplex, double)
#undef GRIDSPAN_SOLVER_HERMITIAN

#define GRIDSPAN_SOLVER_SINGULAR(letter, T, R)                                                     \
  GRIDSPAN_SOLVER(cusolverDn##letter##gesvd_bufferSize)                                            \
  (cusolverDnHandle_t handle, int m, int n, int* lwork);                                           \
  GRIDSPAN_SOLVER(cusolverDn##letter##gesvd)                                                       \
  (cusolverDnHandle_t handle, signed char jobu, signed char jobvt, int m, int n, T* A, int lda,    \
   R* S, T* U, int ldu, T* VT, int ldvt, T* work, int lwork, R* rwork, int* info);                 \
  GRIDSPAN_SOLVER(cusolverDn##letter##gesvdj_bufferSize)                                           \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m, int n, const T* A, int lda, \
   const R* S, const T* U, int ldu, const T* V, int ldv, int* lwork, gesvdjInfo_t params);         \
  GRIDSPAN_SOLVER(cusolverDn##letter##gesvdj)                                                      \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m, int n, T* A, int lda, R* S, \
   T* U, int ldu, T* V, int ldv, T* work, int lwork, int* info, gesvdjInfo_t params);              \
  GRIDSPAN_SOLVER(cusolverDn##letter##gesvdjBatched_bufferSize)                                    \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, int m, int n, const T* A, int lda,           \
   const R* S, const T* U, int ldu, const T* V, int ldv, int* lwork, gesvdjInfo_t params,          \
   int batchSize);                                                                                 \
  GRIDSPAN_SOLVER(cusolverDn##letter##gesvdjBatched)                                               \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, int m, int n, T* A, int lda, R* S, T* U,     \
   int ldu, T* V, int ldv, T* work, int lwork, int* info, gesvdjInfo_t params, int batchSize);     \
  GRIDSPAN_SOLVER(cusolverDn##letter##gesvdaStridedBatched_bufferSize)                             \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, int rank, int m, int n, const T* d_A,        \
   int lda, long long int strideA, const R* d_S, long long int strideS, const T* d_U, int ldu,     \
   long long int strideU, const T* d_V, int ldv, long long int strideV, int* lwork,                \
   int batchSize);                                                                                 \
  GRIDSPAN_SOLVER(cusolverDn##letter##gesvdaStridedBatched)                                        \
  (cusolverDnHandle_t handle, cusolverEigMode_t jobz, int rank, int m, int n, const T* d_A,        \
   int lda, long long int strideA, R* d_S, long long int strideS, T* d_U, int ldu,                 \
   long long int strideU, T* d_V, int ldv, long long int strideV, T* d_work, int lwork,            \
   int* d_info, double* h_R_nrmF, int batchSize);
GRIDSPAN_SOLVER_SINGULAR(S, float, float)
GRIDSPAN_SOLVER_SINGULAR(D, double, double)
GRIDSPAN_SOLVER_SINGULAR(C, cuComplex, float)
GRIDSPAN_SOLVER_SINGULAR(Z, cuDoubleComplex, double)
#undef GRIDSPAN_SOLVER_SINGULAR
