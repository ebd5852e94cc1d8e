// cuBLAS, level 1: vectors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "blas_families.h"
#include "blas_types.h"

/* Results of another type than the elements': real parts, and indices. R stands in the names of
   complex forms for the pair of letters, as in cublasScnrm2. */
#define GRIDSPAN_BLAS_NORMS(w, I)                                                 \
  GRIDSPAN_BLAS(cublasSnrm2_v2##w)                                                \
  (cublasHandle_t handle, I n, const float* x, I incx, float* result);            \
  GRIDSPAN_BLAS(cublasDnrm2_v2##w)                                                \
  (cublasHandle_t handle, I n, const double* x, I incx, double* result);          \
  GRIDSPAN_BLAS(cublasScnrm2_v2##w)                                               \
  (cublasHandle_t handle, I n, const cuComplex* x, I incx, float* result);        \
  GRIDSPAN_BLAS(cublasDznrm2_v2##w)                                               \
  (cublasHandle_t handle, I n, const cuDoubleComplex* x, I incx, double* result); \
  GRIDSPAN_BLAS(cublasSasum_v2##w)                                                \
  (cublasHandle_t handle, I n, const float* x, I incx, float* result);            \
  GRIDSPAN_BLAS(cublasDasum_v2##w)                                                \
  (cublasHandle_t handle, I n, const double* x, I incx, double* result);          \
  GRIDSPAN_BLAS(cublasScasum_v2##w)                                               \
  (cublasHandle_t handle, I n, const cuComplex* x, I incx, float* result);        \
  GRIDSPAN_BLAS(cublasDzasum_v2##w)                                               \
  (cublasHandle_t handle, I n, const cuDoubleComplex* x, I incx, double* result);
GRIDSPAN_BLAS_NORMS(, int)
GRIDSPAN_BLAS_NORMS(_64, int64_t)
#undef GRIDSPAN_BLAS_NORMS

#define GRIDSPAN_BLAS_IAMAX(letter, T, w, I)                   \
  GRIDSPAN_BLAS(cublasI##letter##amax_v2##w)                   \
  (cublasHandle_t handle, I n, const T* x, I incx, I* result); \
  GRIDSPAN_BLAS(cublasI##letter##amin_v2##w)                   \
  (cublasHandle_t handle, I n, const T* x, I incx, I* result);
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_IAMAX, s, float)
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_IAMAX, d, double)
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_IAMAX, c, cuComplex)
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_IAMAX, z, cuDoubleComplex)
#undef GRIDSPAN_BLAS_IAMAX

#define GRIDSPAN_BLAS_DOT(letter, T, w, I) \
  GRIDSPAN_BLAS(cublas##letter##_v2##w)    \
  (cublasHandle_t handle, I n, const T* x, I incx, const T* y, I incy, T* result);
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_DOT, Sdot, float)
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_DOT, Ddot, double)
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_DOT, Cdotu, cuComplex)
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_DOT, Cdotc, cuComplex)
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_DOT, Zdotu, cuDoubleComplex)
GRIDSPAN_BLAS_SIZES(GRIDSPAN_BLAS_DOT, Zdotc, cuDoubleComplex)
#undef GRIDSPAN_BLAS_DOT

#define GRIDSPAN_BLAS_VECTORS(letter, T, w, I)                                    \
  GRIDSPAN_BLAS(cublas##letter##scal_v2##w)                                       \
  (cublasHandle_t handle, I n, const T* alpha, T* x, I incx);                     \
  GRIDSPAN_BLAS(cublas##letter##axpy_v2##w)                                       \
  (cublasHandle_t handle, I n, const T* alpha, const T* x, I incx, T* y, I incy); \
  GRIDSPAN_BLAS(cublas##letter##copy_v2##w)                                       \
  (cublasHandle_t handle, I n, const T* x, I incx, T* y, I incy);                 \
  GRIDSPAN_BLAS(cublas##letter##swap_v2##w)                                       \
  (cublasHandle_t handle, I n, T * x, I incx, T * y, I incy);
GRIDSPAN_BLAS_SDCZ(GRIDSPAN_BLAS_VECTORS)
#undef GRIDSPAN_BLAS_VECTORS

#define GRIDSPAN_BLAS_ROTM(letter, T, w, I) \
  GRIDSPAN_BLAS(cublas##letter##rotm_v2##w) \
  (cublasHandle_t handle, I n, T * x, I incx, T * y, I incy, const T* param);
GRIDSPAN_BLAS_SD(GRIDSPAN_BLAS_ROTM)
#undef GRIDSPAN_BLAS_ROTM

/* Complex vectors with real numbers; rotations, whose sine may be complex. */
#define GRIDSPAN_BLAS_MIXED(w, I)                                                            \
  GRIDSPAN_BLAS(cublasCsscal_v2##w)                                                          \
  (cublasHandle_t handle, I n, const float* alpha, cuComplex* x, I incx);                    \
  GRIDSPAN_BLAS(cublasZdscal_v2##w)                                                          \
  (cublasHandle_t handle, I n, const double* alpha, cuDoubleComplex* x, I incx);             \
  GRIDSPAN_BLAS(cublasSrot_v2##w)                                                            \
  (cublasHandle_t handle, I n, float* x, I incx, float* y, I incy, const float* c,           \
   const float* s);                                                                          \
  GRIDSPAN_BLAS(cublasDrot_v2##w)                                                            \
  (cublasHandle_t handle, I n, double* x, I incx, double* y, I incy, const double* c,        \
   const double* s);                                                                         \
  GRIDSPAN_BLAS(cublasCrot_v2##w)                                                            \
  (cublasHandle_t handle, I n, cuComplex * x, I incx, cuComplex * y, I incy, const float* c, \
   const cuComplex* s);                                                                      \
  GRIDSPAN_BLAS(cublasCsrot_v2##w)                                                           \
  (cublasHandle_t handle, I n, cuComplex * x, I incx, cuComplex * y, I incy, const float* c, \
   const float* s);                                                                          \
  GRIDSPAN_BLAS(cublasZrot_v2##w)                                                            \
  (cublasHandle_t handle, I n, cuDoubleComplex * x, I incx, cuDoubleComplex * y, I incy,     \
   const double* c, const cuDoubleComplex* s);                                               \
  GRIDSPAN_BLAS(cublasZdrot_v2##w)                                                           \
  (cublasHandle_t handle, I n, cuDoubleComplex * x, I incx, cuDoubleComplex * y, I incy,     \
   const double* c, const double* s);
GRIDSPAN_BLAS_MIXED(, int)
GRIDSPAN_BLAS_MIXED(_64, int64_t)
#undef GRIDSPAN_BLAS_MIXED

GRIDSPAN_BLAS(cublasSrotg_v2)(cublasHandle_t handle, float* a, float* b, float* c, float* s);
GRIDSPAN_BLAS(cublasDrotg_v2)(cublasHandle_t handle, double* a, double* b, double* c, double* s);
GRIDSPAN_BLAS(cublasCrotg_v2)(cublasHandle_t handle, cuComplex* a, cuComplex* b, float* c,
                              cuComplex* s);
GRIDSPAN_BLAS(cublasZrotg_v2)(cublasHandle_t handle, cuDoubleComplex* a, cuDoubleComplex* b,
                              double* c, cuDoubleComplex* s);
GRIDSPAN_BLAS(cublasSrotmg_v2)(cublasHandle_t handle, float* d1, float* d2, float* x1,
                               const float* y1, float* param);
GRIDSPAN_BLAS(cublasDrotmg_v2)(cublasHandle_t handle, double* d1, double* d2, double* x1,
                               const double* y1, double* param);
GRIDSPAN_BLAS(cublasRotgEx)(cublasHandle_t handle, void* a, void* b, cudaDataType abType, void* c,
                            void* s, cudaDataType csType, cudaDataType executiontype);
GRIDSPAN_BLAS(cublasRotmgEx)(cublasHandle_t handle, void* d1, cudaDataType d1Type, void* d2,
                             cudaDataType d2Type, void* x1, cudaDataType x1Type, const void* y1,
                             cudaDataType y1Type, void* param, cudaDataType paramType,
                             cudaDataType executiontype);

/* Any element type. */
#define GRIDSPAN_BLAS_EX(w, I)                                                                     \
  GRIDSPAN_BLAS(cublasNrm2Ex##w)                                                                   \
  (cublasHandle_t handle, I n, const void* x, cudaDataType xType, I incx, void* result,            \
   cudaDataType resultType, cudaDataType executionType);                                           \
  GRIDSPAN_BLAS(cublasDotEx##w)                                                                    \
  (cublasHandle_t handle, I n, const void* x, cudaDataType xType, I incx, const void* y,           \
   cudaDataType yType, I incy, void* result, cudaDataType resultType, cudaDataType executionType); \
  GRIDSPAN_BLAS(cublasDotcEx##w)                                                                   \
  (cublasHandle_t handle, I n, const void* x, cudaDataType xType, I incx, const void* y,           \
   cudaDataType yType, I incy, void* result, cudaDataType resultType, cudaDataType executionType); \
  GRIDSPAN_BLAS(cublasScalEx##w)                                                                   \
  (cublasHandle_t handle, I n, const void* alpha, cudaDataType alphaType, void* x,                 \
   cudaDataType xType, I incx, cudaDataType executionType);                                        \
  GRIDSPAN_BLAS(cublasAxpyEx##w)                                                                   \
  (cublasHandle_t handle, I n, const void* alpha, cudaDataType alphaType, const void* x,           \
   cudaDataType xType, I incx, void* y, cudaDataType yType, I incy, cudaDataType executiontype);   \
  GRIDSPAN_BLAS(cublasCopyEx##w)                                                                   \
  (cublasHandle_t handle, I n, const void* x, cudaDataType xType, I incx, void* y,                 \
   cudaDataType yType, I incy);                                                                    \
  GRIDSPAN_BLAS(cublasSwapEx##w)                                                                   \
  (cublasHandle_t handle, I n, void* x, cudaDataType xType, I incx, void* y, cudaDataType yType,   \
   I incy);                                                                                        \
  GRIDSPAN_BLAS(cublasIamaxEx##w)                                                                  \
  (cublasHandle_t handle, I n, const void* x, cudaDataType xType, I incx, I* result);              \
  GRIDSPAN_BLAS(cublasIaminEx##w)                                                                  \
  (cublasHandle_t handle, I n, const void* x, cudaDataType xType, I incx, I* result);              \
  GRIDSPAN_BLAS(cublasAsumEx##w)                                                                   \
  (cublasHandle_t handle, I n, const void* x, cudaDataType xType, I incx, void* result,            \
   cudaDataType resultType, cudaDataType executiontype);                                           \
  GRIDSPAN_BLAS(cublasRotEx##w)                                                                    \
  (cublasHandle_t handle, I n, void* x, cudaDataType xType, I incx, void* y, cudaDataType yType,   \
   I incy, const void* c, const void* s, cudaDataType csType, cudaDataType executiontype);         \
  GRIDSPAN_BLAS(cublasRotmEx##w)                                                                   \
  (cublasHandle_t handle, I n, void* x, cudaDataType xType, I incx, void* y, cudaDataType yType,   \
   I incy, const void* param, cudaDataType paramType, cudaDataType executiontype);
GRIDSPAN_BLAS_EX(, int)
GRIDSPAN_BLAS_EX(_64, int64_t)
#undef GRIDSPAN_BLAS_EX

#include "blas_families_end.h"
