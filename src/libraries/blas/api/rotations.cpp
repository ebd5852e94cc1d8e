// cuBLAS, level 1: rotations of pairs of vectors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/kernels/rotations.h"

#include "libraries/blas/api/arguments.h"

#include <algorithm>

namespace gridspan::libraries::blas {
namespace {

template <typename Work, typename Cosine, typename Sine, typename T>
cublasStatus_t rot(Handle handle, std::int64_t n, T* x, std::int64_t x_step, T* y,
                   std::int64_t y_step, const Cosine* c, const Sine* s) {
  const Check check = Check(handle).given(c, "c").given(s, "s");
  if (check.failed()) return check.status();
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  return status_of(launch_rot<Work, Cosine, Sine, T>(n, vector(n, x, x_step), vector(n, y, y_step),
                                                     scalar<Cosine>(handle, c),
                                                     scalar<Sine>(handle, s), handle->stream));
}

template <typename Work, typename T>
cublasStatus_t rotm(Handle handle, std::int64_t n, T* x, std::int64_t x_step, T* y,
                    std::int64_t y_step, const T* parameters) {
  const Check check = Check(handle).given(parameters, "param");
  if (check.failed()) return check.status();
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  Modified<T> given = {};
  if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
    given.place = parameters;
  else
    std::copy_n(parameters, 5, given.numbers);
  return status_of(
      launch_rotm<Work, T>(n, vector(n, x, x_step), vector(n, y, y_step), given, handle->stream));
}

bool on_host(Handle handle) { return handle->pointer_mode == CUBLAS_POINTER_MODE_HOST; }

template <typename T>
cublasStatus_t rotg(Handle handle, T* a, T* b, T* c, T* s) {
  const Check check = Check(handle).given(a, "a").given(b, "b").given(c, "c").given(s, "s");
  if (check.failed()) return check.status();
  return status_of(make_rotation<T>(on_host(handle), a, b, c, s, handle->stream));
}
template <typename T, typename R>
cublasStatus_t complex_rotg(Handle handle, T* a, T* b, R* c, T* s) {
  const Check check = Check(handle).given(a, "a").given(b, "b").given(c, "c").given(s, "s");
  if (check.failed()) return check.status();
  return status_of(make_complex_rotation<T, R>(on_host(handle), a, b, c, s, handle->stream));
}
template <typename T>
cublasStatus_t rotmg(Handle handle, T* d1, T* d2, T* x1, const T* y1, T* parameters) {
  Check check(handle);
  check.given(d1, "d1").given(d2, "d2").given(x1, "x1").given(y1, "y1").given(parameters, "param");
  if (check.failed()) return check.status();
  return status_of(
      make_modified_rotation<T>(on_host(handle), d1, d2, x1, y1, parameters, handle->stream));
}

template <typename Work, typename Cosine, typename Sine, typename T>
cublasStatus_t rot_of(Handle handle, std::int64_t n, void* x, std::int64_t x_step, void* y,
                      std::int64_t y_step, const void* c, const void* s) {
  return rot<Work, Cosine, Sine, T>(handle, n, static_cast<T*>(x), x_step, static_cast<T*>(y),
                                    y_step, static_cast<const Cosine*>(c),
                                    static_cast<const Sine*>(s));
}

/// 16-bit vectors have numbers of their own type or of float, complex ones real or complex sines.
cublasStatus_t rot_of_type(Handle handle, std::int64_t n, void* x, cudaDataType x_type,
                           std::int64_t x_step, void* y, cudaDataType y_type, std::int64_t y_step,
                           const void* c, const void* s, cudaDataType cs_type,
                           cudaDataType execution) {
  const bool is_short = x_type == CUDA_R_16F || x_type == CUDA_R_16BF;
  Check check(handle);
  check.type(x_type == y_type, y_type, "yType")
      .type(execution == (is_short ? CUDA_R_32F : x_type), execution, "executionType");
  if (check.failed()) return check.status();
  const bool same = cs_type == x_type;
  using C = cuComplex;
  using Z = cuDoubleComplex;
  switch (x_type) {
    case CUDA_R_32F:
      if (same) return rot_of<float, float, float, float>(handle, n, x, x_step, y, y_step, c, s);
      break;
    case CUDA_R_64F:
      if (same)
        return rot_of<double, double, double, double>(handle, n, x, x_step, y, y_step, c, s);
      break;
    case CUDA_C_32F:
      if (same) return rot_of<C, float, C, C>(handle, n, x, x_step, y, y_step, c, s);
      if (cs_type == CUDA_R_32F)
        return rot_of<C, float, float, C>(handle, n, x, x_step, y, y_step, c, s);
      break;
    case CUDA_C_64F:
      if (same) return rot_of<Z, double, Z, Z>(handle, n, x, x_step, y, y_step, c, s);
      if (cs_type == CUDA_R_64F)
        return rot_of<Z, double, double, Z>(handle, n, x, x_step, y, y_step, c, s);
      break;
    case CUDA_R_16F:
      if (same) return rot_of<float, __half, __half, __half>(handle, n, x, x_step, y, y_step, c, s);
      if (cs_type == CUDA_R_32F)
        return rot_of<float, float, float, __half>(handle, n, x, x_step, y, y_step, c, s);
      break;
    case CUDA_R_16BF:
      if (same)
        return rot_of<float, __nv_bfloat16, __nv_bfloat16, __nv_bfloat16>(handle, n, x, x_step, y,
                                                                          y_step, c, s);
      if (cs_type == CUDA_R_32F)
        return rot_of<float, float, float, __nv_bfloat16>(handle, n, x, x_step, y, y_step, c, s);
      break;
    default:
      return check.type(false, x_type, "xType").status();
  }
  return check.type(false, cs_type, "csType").status();
}

template <typename Work, typename T>
cublasStatus_t rotm_of(Handle handle, std::int64_t n, void* x, std::int64_t x_step, void* y,
                       std::int64_t y_step, const void* parameters) {
  return rotm<Work, T>(handle, n, static_cast<T*>(x), x_step, static_cast<T*>(y), y_step,
                       static_cast<const T*>(parameters));
}

cublasStatus_t rotm_of_type(Handle handle, std::int64_t n, void* x, cudaDataType x_type,
                            std::int64_t x_step, void* y, cudaDataType y_type, std::int64_t y_step,
                            const void* parameters, cudaDataType parameter_type,
                            cudaDataType execution) {
  const bool is_short = x_type == CUDA_R_16F || x_type == CUDA_R_16BF;
  Check check(handle);
  check.type(x_type == y_type, y_type, "yType")
      .type(x_type == parameter_type, parameter_type, "paramType")
      .type(execution == (is_short ? CUDA_R_32F : x_type), execution, "executionType");
  if (check.failed()) return check.status();
  switch (x_type) {
    case CUDA_R_32F:
      return rotm_of<float, float>(handle, n, x, x_step, y, y_step, parameters);
    case CUDA_R_64F:
      return rotm_of<double, double>(handle, n, x, x_step, y, y_step, parameters);
    case CUDA_R_16F:
      return rotm_of<float, __half>(handle, n, x, x_step, y, y_step, parameters);
    case CUDA_R_16BF:
      return rotm_of<float, __nv_bfloat16>(handle, n, x, x_step, y, y_step, parameters);
    default:
      return check.type(false, x_type, "xType").status();
  }
}

}  // namespace
}  // namespace gridspan::libraries::blas

namespace blas = gridspan::libraries::blas;

#define GRIDSPAN_ROT(name, Cosine, Sine, T, w, I)                                             \
  cublasStatus_t cublas##name##_v2##w(cublasHandle_t handle, I n, T* x, I incx, T* y, I incy, \
                                      const Cosine* c, const Sine* s) {                       \
    return blas::rot<T, Cosine, Sine, T>(handle, n, x, incx, y, incy, c, s);                  \
  }
#define GRIDSPAN_ROTM(name, T, w, I)                                                          \
  cublasStatus_t cublas##name##_v2##w(cublasHandle_t handle, I n, T* x, I incx, T* y, I incy, \
                                      const T* param) {                                       \
    return blas::rotm<T, T>(handle, n, x, incx, y, incy, param);                              \
  }
#define GRIDSPAN_ROT_EX(name, w, I)                                                              \
  cublasStatus_t cublas##name##Ex##w(cublasHandle_t handle, I n, void* x, cudaDataType xType,    \
                                     I incx, void* y, cudaDataType yType, I incy, const void* c, \
                                     const void* s, cudaDataType csType,                         \
                                     cudaDataType executionType) {                               \
    return blas::rot_of_type(handle, n, x, xType, incx, y, yType, incy, c, s, csType,            \
                             executionType);                                                     \
  }
#define GRIDSPAN_ROTM_EX(name, w, I)                                                          \
  cublasStatus_t cublas##name##Ex##w(cublasHandle_t handle, I n, void* x, cudaDataType xType, \
                                     I incx, void* y, cudaDataType yType, I incy,             \
                                     const void* param, cudaDataType paramType,               \
                                     cudaDataType executionType) {                            \
    return blas::rotm_of_type(handle, n, x, xType, incx, y, yType, incy, param, paramType,    \
                              executionType);                                                 \
  }

extern "C" {

GRIDSPAN_SIZES(GRIDSPAN_ROT, Srot, float, float, float)
GRIDSPAN_SIZES(GRIDSPAN_ROT, Drot, double, double, double)
GRIDSPAN_SIZES(GRIDSPAN_ROT, Crot, float, cuComplex, cuComplex)
GRIDSPAN_SIZES(GRIDSPAN_ROT, Csrot, float, float, cuComplex)
GRIDSPAN_SIZES(GRIDSPAN_ROT, Zrot, double, cuDoubleComplex, cuDoubleComplex)
GRIDSPAN_SIZES(GRIDSPAN_ROT, Zdrot, double, double, cuDoubleComplex)
GRIDSPAN_SIZES(GRIDSPAN_ROTM, Srotm, float)
GRIDSPAN_SIZES(GRIDSPAN_ROTM, Drotm, double)
GRIDSPAN_SIZES(GRIDSPAN_ROT_EX, Rot)
GRIDSPAN_SIZES(GRIDSPAN_ROTM_EX, Rotm)

cublasStatus_t cublasSrotg_v2(cublasHandle_t handle, float* a, float* b, float* c, float* s) {
  return blas::rotg(handle, a, b, c, s);
}
cublasStatus_t cublasDrotg_v2(cublasHandle_t handle, double* a, double* b, double* c, double* s) {
  return blas::rotg(handle, a, b, c, s);
}
cublasStatus_t cublasCrotg_v2(cublasHandle_t handle, cuComplex* a, cuComplex* b, float* c,
                              cuComplex* s) {
  return blas::complex_rotg(handle, a, b, c, s);
}
cublasStatus_t cublasZrotg_v2(cublasHandle_t handle, cuDoubleComplex* a, cuDoubleComplex* b,
                              double* c, cuDoubleComplex* s) {
  return blas::complex_rotg(handle, a, b, c, s);
}
cublasStatus_t cublasSrotmg_v2(cublasHandle_t handle, float* d1, float* d2, float* x1,
                               const float* y1, float* param) {
  return blas::rotmg(handle, d1, d2, x1, y1, param);
}
cublasStatus_t cublasDrotmg_v2(cublasHandle_t handle, double* d1, double* d2, double* x1,
                               const double* y1, double* param) {
  return blas::rotmg(handle, d1, d2, x1, y1, param);
}

cublasStatus_t cublasRotgEx(cublasHandle_t handle, void* a, void* b, cudaDataType abType, void* c,
                            void* s, cudaDataType csType, cudaDataType executionType) {
  blas::Check check{blas::Handle(handle)};
  check.type(abType == executionType, executionType, "executionType");
  if (check.failed()) return check.status();
  if (abType == CUDA_R_32F && csType == CUDA_R_32F)
    return blas::rotg(handle, static_cast<float*>(a), static_cast<float*>(b),
                      static_cast<float*>(c), static_cast<float*>(s));
  if (abType == CUDA_R_64F && csType == CUDA_R_64F)
    return blas::rotg(handle, static_cast<double*>(a), static_cast<double*>(b),
                      static_cast<double*>(c), static_cast<double*>(s));
  if (abType == CUDA_C_32F && csType == CUDA_C_32F)
    return blas::complex_rotg(handle, static_cast<cuComplex*>(a), static_cast<cuComplex*>(b),
                              static_cast<float*>(c), static_cast<cuComplex*>(s));
  if (abType == CUDA_C_64F && csType == CUDA_C_64F)
    return blas::complex_rotg(handle, static_cast<cuDoubleComplex*>(a),
                              static_cast<cuDoubleComplex*>(b), static_cast<double*>(c),
                              static_cast<cuDoubleComplex*>(s));
  return check.type(csType == abType, csType, "csType").type(false, abType, "abType").status();
}
cublasStatus_t cublasRotmgEx(cublasHandle_t handle, void* d1, cudaDataType d1Type, void* d2,
                             cudaDataType d2Type, void* x1, cudaDataType x1Type, const void* y1,
                             cudaDataType y1Type, void* param, cudaDataType paramType,
                             cudaDataType executionType) {
  blas::Check check{blas::Handle(handle)};
  check.type(d2Type == d1Type, d2Type, "d2Type")
      .type(x1Type == d1Type, x1Type, "x1Type")
      .type(y1Type == d1Type, y1Type, "y1Type")
      .type(paramType == d1Type, paramType, "paramType")
      .type(executionType == d1Type, executionType, "executionType");
  if (check.failed()) return check.status();
  if (d1Type == CUDA_R_32F)
    return blas::rotmg(handle, static_cast<float*>(d1), static_cast<float*>(d2),
                       static_cast<float*>(x1), static_cast<const float*>(y1),
                       static_cast<float*>(param));
  if (d1Type == CUDA_R_64F)
    return blas::rotmg(handle, static_cast<double*>(d1), static_cast<double*>(d2),
                       static_cast<double*>(x1), static_cast<const double*>(y1),
                       static_cast<double*>(param));
  return check.type(false, d1Type, "d1Type").status();
}

}  // extern "C"
