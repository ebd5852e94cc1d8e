// cuBLAS, level 1: vectors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/api/arguments.h"
#include "libraries/blas/api/results.h"

namespace gridspan::libraries::blas {
namespace {

template <typename Scale, typename T>
cublasStatus_t scal(Handle handle, std::int64_t n, const Scale* alpha, T* x, std::int64_t step) {
  const Check check = Check(handle).given(alpha, "alpha");
  if (check.failed()) return check.status();
  if (n <= 0 || step <= 0) return CUBLAS_STATUS_SUCCESS;
  return status_of(
      launch_scal<Scale, T>(n, scalar<Scale>(handle, alpha), {x, step}, handle->stream));
}

template <typename T>
cublasStatus_t axpy(Handle handle, std::int64_t n, const T* alpha, const T* x, std::int64_t x_step,
                    T* y, std::int64_t y_step) {
  const Check check = Check(handle).given(alpha, "alpha");
  if (check.failed()) return check.status();
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  const Scalar<T> factor = scalar<T>(handle, alpha);
  if (!factor.place && is_zero(factor.value)) return CUBLAS_STATUS_SUCCESS;
  return status_of(
      launch_axpy<T>(n, factor, vector(n, x, x_step), vector(n, y, y_step), handle->stream));
}

template <typename T>
cublasStatus_t copy(Handle handle, std::int64_t n, const T* x, std::int64_t x_step, T* y,
                    std::int64_t y_step) {
  if (const Check check(handle); check.failed()) return check.status();
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  return status_of(launch_copy<T>(n, vector(n, x, x_step), vector(n, y, y_step), handle->stream));
}

template <typename T>
cublasStatus_t swap(Handle handle, std::int64_t n, T* x, std::int64_t x_step, T* y,
                    std::int64_t y_step) {
  if (const Check check(handle); check.failed()) return check.status();
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  return status_of(launch_swap<T>(n, vector(n, x, x_step), vector(n, y, y_step), handle->stream));
}

template <typename T>
cublasStatus_t dot(Sum sum, Handle handle, std::int64_t n, const T* x, std::int64_t x_step,
                   const T* y, std::int64_t y_step, T* result) {
  const Check check = Check(handle).given(result, "result");
  if (check.failed()) return check.status();
  return give(handle, n <= 0, result, [&](T* place) {
    return launch_sum<T, T>(sum, n, vector(n, x, x_step), vector(n, y, y_step), place,
                            handle->stream);
  });
}

/// Norms and sums without signs.
template <typename T, typename Out>
cublasStatus_t size_of(Sum sum, Handle handle, std::int64_t n, const T* x, std::int64_t step,
                       Out* result) {
  const Check check = Check(handle).given(result, "result");
  if (check.failed()) return check.status();
  return give(handle, n <= 0 || step <= 0, result, [&](Out* place) {
    return launch_sum<T, Out>(sum, n, {x, step}, {x, step}, place, handle->stream);
  });
}

template <typename T, typename Index>
cublasStatus_t search(bool largest, Handle handle, std::int64_t n, const T* x, std::int64_t step,
                      Index* result) {
  const Check check = Check(handle).given(result, "result");
  if (check.failed()) return check.status();
  return give(handle, n <= 0 || step <= 0, result, [&](Index* place) {
    return launch_search<T, Index>(largest, n, {x, step}, place, handle->stream);
  });
}

template <typename T>
cublasStatus_t dot_of(Sum sum, Handle handle, std::int64_t n, const void* x, std::int64_t x_step,
                      const void* y, std::int64_t y_step, void* result) {
  return dot<T>(sum, handle, n, static_cast<const T*>(x), x_step, static_cast<const T*>(y), y_step,
                static_cast<T*>(result));
}

/// Element types as arguments: all the same; half precision is computed in float.
cublasStatus_t dot_of_type(Sum sum, Handle handle, std::int64_t n, const void* x,
                           cudaDataType x_type, std::int64_t x_step, const void* y,
                           cudaDataType y_type, std::int64_t y_step, void* result,
                           cudaDataType result_type, cudaDataType execution) {
  const bool is_short = x_type == CUDA_R_16F || x_type == CUDA_R_16BF;
  Check check(handle);
  check.type(x_type == y_type, y_type, "yType")
      .type(x_type == result_type, result_type, "resultType")
      .type(execution == (is_short ? CUDA_R_32F : x_type), execution, "executionType");
  if (check.failed()) return check.status();
  switch (x_type) {
    case CUDA_R_32F:
      return dot_of<float>(sum, handle, n, x, x_step, y, y_step, result);
    case CUDA_R_64F:
      return dot_of<double>(sum, handle, n, x, x_step, y, y_step, result);
    case CUDA_C_32F:
      return dot_of<cuComplex>(sum, handle, n, x, x_step, y, y_step, result);
    case CUDA_C_64F:
      return dot_of<cuDoubleComplex>(sum, handle, n, x, x_step, y, y_step, result);
    case CUDA_R_16F:
      return dot_of<__half>(sum, handle, n, x, x_step, y, y_step, result);
    case CUDA_R_16BF:
      return dot_of<__nv_bfloat16>(sum, handle, n, x, x_step, y, y_step, result);
    default:
      return check.type(false, x_type, "xType").status();
  }
}

}  // namespace
}  // namespace gridspan::libraries::blas

namespace blas = gridspan::libraries::blas;

#define GRIDSPAN_SCAL(name, Scale, T, w, I)                                                 \
  cublasStatus_t cublas##name##_v2##w(cublasHandle_t handle, I n, const Scale* alpha, T* x, \
                                      I incx) {                                             \
    return blas::scal<Scale, T>(handle, n, alpha, x, incx);                                 \
  }
#define GRIDSPAN_VECTORS(letter, T, w, I)                                                         \
  GRIDSPAN_SCAL(letter##scal, T, T, w, I)                                                         \
  cublasStatus_t cublas##letter##axpy_v2##w(cublasHandle_t handle, I n, const T* alpha,           \
                                            const T* x, I incx, T* y, I incy) {                   \
    return blas::axpy<T>(handle, n, alpha, x, incx, y, incy);                                     \
  }                                                                                               \
  cublasStatus_t cublas##letter##copy_v2##w(cublasHandle_t handle, I n, const T* x, I incx, T* y, \
                                            I incy) {                                             \
    return blas::copy<T>(handle, n, x, incx, y, incy);                                            \
  }                                                                                               \
  cublasStatus_t cublas##letter##swap_v2##w(cublasHandle_t handle, I n, T* x, I incx, T* y,       \
                                            I incy) {                                             \
    return blas::swap<T>(handle, n, x, incx, y, incy);                                            \
  }
#define GRIDSPAN_DOT(name, T, sum, w, I)                                                          \
  cublasStatus_t cublas##name##_v2##w(cublasHandle_t handle, I n, const T* x, I incx, const T* y, \
                                      I incy, T* result) {                                        \
    return blas::dot<T>(blas::Sum::sum, handle, n, x, incx, y, incy, result);                     \
  }
#define GRIDSPAN_SUM(name, T, Out, sum, w, I)                                         \
  cublasStatus_t cublas##name##_v2##w(cublasHandle_t handle, I n, const T* x, I incx, \
                                      Out* result) {                                  \
    return blas::size_of<T, Out>(blas::Sum::sum, handle, n, x, incx, result);         \
  }
#define GRIDSPAN_SEARCH(letter, T, w, I)                                                     \
  cublasStatus_t cublasI##letter##amax_v2##w(cublasHandle_t handle, I n, const T* x, I incx, \
                                             I* result) {                                    \
    return blas::search<T, I>(true, handle, n, x, incx, result);                             \
  }                                                                                          \
  cublasStatus_t cublasI##letter##amin_v2##w(cublasHandle_t handle, I n, const T* x, I incx, \
                                             I* result) {                                    \
    return blas::search<T, I>(false, handle, n, x, incx, result);                            \
  }
#define GRIDSPAN_DOT_EX(name, sum, w, I)                                                          \
  cublasStatus_t cublas##name##w(cublasHandle_t handle, I n, const void* x, cudaDataType xType,   \
                                 I incx, const void* y, cudaDataType yType, I incy, void* result, \
                                 cudaDataType resultType, cudaDataType executionType) {           \
    return blas::dot_of_type(blas::Sum::sum, handle, n, x, xType, incx, y, yType, incy, result,   \
                             resultType, executionType);                                          \
  }

extern "C" {

GRIDSPAN_SIZES(GRIDSPAN_VECTORS, S, float)
GRIDSPAN_SIZES(GRIDSPAN_VECTORS, D, double)
GRIDSPAN_SIZES(GRIDSPAN_VECTORS, C, cuComplex)
GRIDSPAN_SIZES(GRIDSPAN_VECTORS, Z, cuDoubleComplex)
GRIDSPAN_SIZES(GRIDSPAN_SCAL, Csscal, float, cuComplex)
GRIDSPAN_SIZES(GRIDSPAN_SCAL, Zdscal, double, cuDoubleComplex)
GRIDSPAN_SIZES(GRIDSPAN_DOT, Sdot, float, dot)
GRIDSPAN_SIZES(GRIDSPAN_DOT, Ddot, double, dot)
GRIDSPAN_SIZES(GRIDSPAN_DOT, Cdotu, cuComplex, dot)
GRIDSPAN_SIZES(GRIDSPAN_DOT, Cdotc, cuComplex, dot_conjugated)
GRIDSPAN_SIZES(GRIDSPAN_DOT, Zdotu, cuDoubleComplex, dot)
GRIDSPAN_SIZES(GRIDSPAN_DOT, Zdotc, cuDoubleComplex, dot_conjugated)
GRIDSPAN_SIZES(GRIDSPAN_DOT_EX, DotEx, dot)
GRIDSPAN_SIZES(GRIDSPAN_DOT_EX, DotcEx, dot_conjugated)
GRIDSPAN_SIZES(GRIDSPAN_SUM, Snrm2, float, float, norm)
GRIDSPAN_SIZES(GRIDSPAN_SUM, Dnrm2, double, double, norm)
GRIDSPAN_SIZES(GRIDSPAN_SUM, Scnrm2, cuComplex, float, norm)
GRIDSPAN_SIZES(GRIDSPAN_SUM, Dznrm2, cuDoubleComplex, double, norm)
GRIDSPAN_SIZES(GRIDSPAN_SUM, Sasum, float, float, absolute)
GRIDSPAN_SIZES(GRIDSPAN_SUM, Dasum, double, double, absolute)
GRIDSPAN_SIZES(GRIDSPAN_SUM, Scasum, cuComplex, float, absolute)
GRIDSPAN_SIZES(GRIDSPAN_SUM, Dzasum, cuDoubleComplex, double, absolute)
GRIDSPAN_SIZES(GRIDSPAN_SEARCH, s, float)
GRIDSPAN_SIZES(GRIDSPAN_SEARCH, d, double)
GRIDSPAN_SIZES(GRIDSPAN_SEARCH, c, cuComplex)
GRIDSPAN_SIZES(GRIDSPAN_SEARCH, z, cuDoubleComplex)

}  // extern "C"
