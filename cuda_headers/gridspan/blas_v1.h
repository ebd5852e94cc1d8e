// cuBLAS before CUDA 4: the routines of levels 1 to 3.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A family is a macro of the letter and the type of elements.
#pragma once

#define GRIDSPAN_V1(type, name) CUBLASAPI type CUBLASWINAPI name
#define GRIDSPAN_V1_SD(family) family(S, float) family(D, double)
#define GRIDSPAN_V1_CZ(family) family(C, cuComplex) family(Z, cuDoubleComplex)
#define GRIDSPAN_V1_SDCZ(family) GRIDSPAN_V1_SD(family) GRIDSPAN_V1_CZ(family)

/* Level 1 */
GRIDSPAN_V1(float, cublasSnrm2)(int n, const float* x, int incx);
GRIDSPAN_V1(double, cublasDnrm2)(int n, const double* x, int incx);
GRIDSPAN_V1(float, cublasScnrm2)(int n, const cuComplex* x, int incx);
GRIDSPAN_V1(double, cublasDznrm2)(int n, const cuDoubleComplex* x, int incx);
GRIDSPAN_V1(float, cublasSasum)(int n, const float* x, int incx);
GRIDSPAN_V1(double, cublasDasum)(int n, const double* x, int incx);
GRIDSPAN_V1(float, cublasScasum)(int n, const cuComplex* x, int incx);
GRIDSPAN_V1(double, cublasDzasum)(int n, const cuDoubleComplex* x, int incx);

#define GRIDSPAN_V1_INDEX(letter, T)                                    \
  GRIDSPAN_V1(int, cublasI##letter##amax)(int n, const T* x, int incx); \
  GRIDSPAN_V1(int, cublasI##letter##amin)(int n, const T* x, int incx);
GRIDSPAN_V1_INDEX(s, float)
GRIDSPAN_V1_INDEX(d, double)
GRIDSPAN_V1_INDEX(c, cuComplex)
GRIDSPAN_V1_INDEX(z, cuDoubleComplex)
#undef GRIDSPAN_V1_INDEX

#define GRIDSPAN_V1_DOT(routine, T) \
  GRIDSPAN_V1(T, cublas##routine)(int n, const T* x, int incx, const T* y, int incy);
GRIDSPAN_V1_DOT(Sdot, float)
GRIDSPAN_V1_DOT(Ddot, double)
GRIDSPAN_V1_DOT(Cdotu, cuComplex)
GRIDSPAN_V1_DOT(Cdotc, cuComplex)
GRIDSPAN_V1_DOT(Zdotu, cuDoubleComplex)
GRIDSPAN_V1_DOT(Zdotc, cuDoubleComplex)
#undef GRIDSPAN_V1_DOT

#define GRIDSPAN_V1_VECTORS(letter, T)                                                           \
  GRIDSPAN_V1(void, cublas##letter##scal)(int n, T alpha, T* x, int incx);                       \
  GRIDSPAN_V1(void, cublas##letter##axpy)(int n, T alpha, const T* x, int incx, T* y, int incy); \
  GRIDSPAN_V1(void, cublas##letter##copy)(int n, const T* x, int incx, T* y, int incy);          \
  GRIDSPAN_V1(void, cublas##letter##swap)(int n, T* x, int incx, T* y, int incy);
GRIDSPAN_V1_SDCZ(GRIDSPAN_V1_VECTORS)
#undef GRIDSPAN_V1_VECTORS
GRIDSPAN_V1(void, cublasCsscal)(int n, float alpha, cuComplex* x, int incx);
GRIDSPAN_V1(void, cublasZdscal)(int n, double alpha, cuDoubleComplex* x, int incx);

#define GRIDSPAN_V1_ROTATIONS(letter, T)                                                           \
  GRIDSPAN_V1(void, cublas##letter##rot)(int n, T* x, int incx, T* y, int incy, T sc, T ss);       \
  GRIDSPAN_V1(void, cublas##letter##rotg)(T * sa, T * sb, T * sc, T * ss);                         \
  GRIDSPAN_V1(void, cublas##letter##rotm)(int n, T* x, int incx, T* y, int incy, const T* sparam); \
  GRIDSPAN_V1(void, cublas##letter##rotmg)(T * sd1, T * sd2, T * sx1, const T* sy1, T* sparam);
GRIDSPAN_V1_SD(GRIDSPAN_V1_ROTATIONS)
#undef GRIDSPAN_V1_ROTATIONS
GRIDSPAN_V1(void, cublasCrot)(int n, cuComplex* x, int incx, cuComplex* y, int incy, float c,
                              cuComplex s);
GRIDSPAN_V1(void, cublasZrot)(int n, cuDoubleComplex* x, int incx, cuDoubleComplex* y, int incy,
                              double sc, cuDoubleComplex cs);
GRIDSPAN_V1(void, cublasCsrot)(int n, cuComplex* x, int incx, cuComplex* y, int incy, float c,
                               float s);
GRIDSPAN_V1(void, cublasZdrot)(int n, cuDoubleComplex* x, int incx, cuDoubleComplex* y, int incy,
                               double c, double s);
GRIDSPAN_V1(void, cublasCrotg)(cuComplex* pca, cuComplex cb, float* psc, cuComplex* pcs);
GRIDSPAN_V1(void, cublasZrotg)(cuDoubleComplex* pca, cuDoubleComplex cb, double* psc,
                               cuDoubleComplex* pcs);

/* Level 2 */
#define GRIDSPAN_V1_LEVEL2(letter, T)                                                            \
  GRIDSPAN_V1(void, cublas##letter##gemv)                                                        \
  (char trans, int m, int n, T alpha, const T* A, int lda, const T* x, int incx, T beta, T* y,   \
   int incy);                                                                                    \
  GRIDSPAN_V1(void, cublas##letter##gbmv)                                                        \
  (char trans, int m, int n, int kl, int ku, T alpha, const T* A, int lda, const T* x, int incx, \
   T beta, T* y, int incy);                                                                      \
  GRIDSPAN_V1(void, cublas##letter##trmv)                                                        \
  (char uplo, char trans, char diag, int n, const T* A, int lda, T* x, int incx);                \
  GRIDSPAN_V1(void, cublas##letter##tbmv)                                                        \
  (char uplo, char trans, char diag, int n, int k, const T* A, int lda, T* x, int incx);         \
  GRIDSPAN_V1(void, cublas##letter##tpmv)                                                        \
  (char uplo, char trans, char diag, int n, const T* AP, T* x, int incx);                        \
  GRIDSPAN_V1(void, cublas##letter##trsv)                                                        \
  (char uplo, char trans, char diag, int n, const T* A, int lda, T* x, int incx);                \
  GRIDSPAN_V1(void, cublas##letter##tbsv)                                                        \
  (char uplo, char trans, char diag, int n, int k, const T* A, int lda, T* x, int incx);         \
  GRIDSPAN_V1(void, cublas##letter##tpsv)                                                        \
  (char uplo, char trans, char diag, int n, const T* AP, T* x, int incx);
GRIDSPAN_V1_SDCZ(GRIDSPAN_V1_LEVEL2)
#undef GRIDSPAN_V1_LEVEL2

#define GRIDSPAN_V1_SYMMETRIC(letter, T, full, bands, packed)                                     \
  GRIDSPAN_V1(void, cublas##letter##full)                                                         \
  (char uplo, int n, T alpha, const T* A, int lda, const T* x, int incx, T beta, T* y, int incy); \
  GRIDSPAN_V1(void, cublas##letter##bands)                                                        \
  (char uplo, int n, int k, T alpha, const T* A, int lda, const T* x, int incx, T beta, T* y,     \
   int incy);                                                                                     \
  GRIDSPAN_V1(void, cublas##letter##packed)                                                       \
  (char uplo, int n, T alpha, const T* AP, const T* x, int incx, T beta, T* y, int incy);
GRIDSPAN_V1_SYMMETRIC(S, float, symv, sbmv, spmv)
GRIDSPAN_V1_SYMMETRIC(D, double, symv, sbmv, spmv)
GRIDSPAN_V1_SYMMETRIC(C, cuComplex, hemv, hbmv, hpmv)
GRIDSPAN_V1_SYMMETRIC(Z, cuDoubleComplex, hemv, hbmv, hpmv)
#undef GRIDSPAN_V1_SYMMETRIC

#define GRIDSPAN_V1_GER(routine, T)  \
  GRIDSPAN_V1(void, cublas##routine) \
  (int m, int n, T alpha, const T* x, int incx, const T* y, int incy, T* A, int lda);
GRIDSPAN_V1_GER(Sger, float)
GRIDSPAN_V1_GER(Dger, double)
GRIDSPAN_V1_GER(Cgeru, cuComplex)
GRIDSPAN_V1_GER(Cgerc, cuComplex)
GRIDSPAN_V1_GER(Zgeru, cuDoubleComplex)
GRIDSPAN_V1_GER(Zgerc, cuDoubleComplex)
#undef GRIDSPAN_V1_GER

#define GRIDSPAN_V1_UPDATE(letter, T, R, full, packed)                                    \
  GRIDSPAN_V1(void, cublas##letter##full)                                                 \
  (char uplo, int n, R alpha, const T* x, int incx, T* A, int lda);                       \
  GRIDSPAN_V1(void, cublas##letter##packed)                                               \
  (char uplo, int n, R alpha, const T* x, int incx, T* AP);                               \
  GRIDSPAN_V1(void, cublas##letter##full##2)                                              \
  (char uplo, int n, T alpha, const T* x, int incx, const T* y, int incy, T* A, int lda); \
  GRIDSPAN_V1(void, cublas##letter##packed##2)                                            \
  (char uplo, int n, T alpha, const T* x, int incx, const T* y, int incy, T* AP);
GRIDSPAN_V1_UPDATE(S, float, float, syr, spr)
GRIDSPAN_V1_UPDATE(D, double, double, syr, spr)
GRIDSPAN_V1_UPDATE(C, cuComplex, float, her, hpr)
GRIDSPAN_V1_UPDATE(Z, cuDoubleComplex, double, her, hpr)
#undef GRIDSPAN_V1_UPDATE

/* Level 3 */
#define GRIDSPAN_V1_LEVEL3(letter, T)                                                              \
  GRIDSPAN_V1(void, cublas##letter##gemm)                                                          \
  (char transa, char transb, int m, int n, int k, T alpha, const T* A, int lda, const T* B,        \
   int ldb, T beta, T* C, int ldc);                                                                \
  GRIDSPAN_V1(void, cublas##letter##syrk)                                                          \
  (char uplo, char trans, int n, int k, T alpha, const T* A, int lda, T beta, T* C, int ldc);      \
  GRIDSPAN_V1(void, cublas##letter##syr2k)                                                         \
  (char uplo, char trans, int n, int k, T alpha, const T* A, int lda, const T* B, int ldb, T beta, \
   T* C, int ldc);                                                                                 \
  GRIDSPAN_V1(void, cublas##letter##symm)                                                          \
  (char side, char uplo, int m, int n, T alpha, const T* A, int lda, const T* B, int ldb, T beta,  \
   T* C, int ldc);                                                                                 \
  GRIDSPAN_V1(void, cublas##letter##trsm)                                                          \
  (char side, char uplo, char transa, char diag, int m, int n, T alpha, const T* A, int lda, T* B, \
   int ldb);                                                                                       \
  GRIDSPAN_V1(void, cublas##letter##trmm)                                                          \
  (char side, char uplo, char transa, char diag, int m, int n, T alpha, const T* A, int lda, T* B, \
   int ldb);
GRIDSPAN_V1_SDCZ(GRIDSPAN_V1_LEVEL3)
#undef GRIDSPAN_V1_LEVEL3

#define GRIDSPAN_V1_HERMITIAN(letter, T, R)                                                        \
  GRIDSPAN_V1(void, cublas##letter##herk)                                                          \
  (char uplo, char trans, int n, int k, R alpha, const T* A, int lda, R beta, T* C, int ldc);      \
  GRIDSPAN_V1(void, cublas##letter##her2k)                                                         \
  (char uplo, char trans, int n, int k, T alpha, const T* A, int lda, const T* B, int ldb, R beta, \
   T* C, int ldc);                                                                                 \
  GRIDSPAN_V1(void, cublas##letter##hemm)                                                          \
  (char side, char uplo, int m, int n, T alpha, const T* A, int lda, const T* B, int ldb, T beta,  \
   T* C, int ldc);
GRIDSPAN_V1_HERMITIAN(C, cuComplex, float)
GRIDSPAN_V1_HERMITIAN(Z, cuDoubleComplex, double)
#undef GRIDSPAN_V1_HERMITIAN

#undef GRIDSPAN_V1
#undef GRIDSPAN_V1_SD
#undef GRIDSPAN_V1_CZ
#undef GRIDSPAN_V1_SDCZ
