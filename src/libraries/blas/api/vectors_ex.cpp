// cuBLAS, level 1: element types as arguments. 16-bit numbers are computed in float.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/api/results.h"
#include "libraries/blas/kernels/rotations.h"

namespace gridspan::libraries::blas {
namespace {

bool is_short(cudaDataType type) { return type == CUDA_R_16F || type == CUDA_R_16BF; }
/// The type that elements are computed in.
cudaDataType computed(cudaDataType type) { return is_short(type) ? CUDA_R_32F : type; }
/// That of norms and sums without signs.
cudaDataType real_of(cudaDataType type) {
  return type == CUDA_C_32F ? CUDA_R_32F : type == CUDA_C_64F ? CUDA_R_64F : type;
}

/// `call` gets a null pointer to the type of the elements.
template <typename Call>
cublasStatus_t with_elements(Check& check, cudaDataType type, Call call) {
  switch (type) {
    case CUDA_R_32F:
      return call(static_cast<float*>(nullptr));
    case CUDA_R_64F:
      return call(static_cast<double*>(nullptr));
    case CUDA_C_32F:
      return call(static_cast<cuComplex*>(nullptr));
    case CUDA_C_64F:
      return call(static_cast<cuDoubleComplex*>(nullptr));
    case CUDA_R_16F:
      return call(static_cast<__half*>(nullptr));
    case CUDA_R_16BF:
      return call(static_cast<__nv_bfloat16*>(nullptr));
    default:
      return check.type(false, type, "xType").status();
  }
}
template <typename T>
constexpr bool is_short_type = std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16>;

/// A factor of float, or of the 16-bit type itself, which is then in host memory.
template <typename T>
bool short_factor(Handle handle, const void* alpha, cudaDataType type, Scalar<float>& factor) {
  if (type == CUDA_R_32F) {
    factor = scalar<float>(handle, alpha);
    return true;
  }
  if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE) return false;
  factor = {Conversion<float, T>::of(*static_cast<const T*>(alpha)), nullptr};
  return true;
}

cublasStatus_t scal_of_type(Handle handle, std::int64_t n, const void* alpha,
                            cudaDataType alpha_type, void* x, cudaDataType x_type,
                            std::int64_t step, cudaDataType execution) {
  Check check(handle);
  check.given(alpha, "alpha")
      .type(execution == computed(x_type), execution, "executionType")
      .type(alpha_type == x_type || alpha_type == computed(x_type), alpha_type, "alphaType");
  if (check.failed()) return check.status();
  return with_elements(check, x_type, [&]<typename T>(T*) {
    if (n <= 0 || step <= 0) return CUBLAS_STATUS_SUCCESS;
    const Vector<T> elements = {static_cast<T*>(x), step};
    if constexpr (is_short_type<T>) {
      Scalar<float> factor;
      if (!short_factor<T>(handle, alpha, alpha_type, factor))
        return check.type(false, alpha_type, "alphaType").status();
      return status_of(launch_scal_short<T>(n, factor, elements, handle->stream));
    } else {
      return status_of(launch_scal<T, T>(n, scalar<T>(handle, alpha), elements, handle->stream));
    }
  });
}

cublasStatus_t axpy_of_type(Handle handle, std::int64_t n, const void* alpha,
                            cudaDataType alpha_type, const void* x, cudaDataType x_type,
                            std::int64_t x_step, void* y, cudaDataType y_type, std::int64_t y_step,
                            cudaDataType execution) {
  Check check(handle);
  check.given(alpha, "alpha")
      .type(x_type == y_type, y_type, "yType")
      .type(execution == computed(x_type), execution, "executionType")
      .type(alpha_type == x_type || alpha_type == computed(x_type), alpha_type, "alphaType");
  if (check.failed()) return check.status();
  return with_elements(check, x_type, [&]<typename T>(T*) {
    if (n <= 0) return CUBLAS_STATUS_SUCCESS;
    const Vector<const T> from = vector(n, static_cast<const T*>(x), x_step);
    const Vector<T> to = vector(n, static_cast<T*>(y), y_step);
    if constexpr (is_short_type<T>) {
      Scalar<float> factor;
      if (!short_factor<T>(handle, alpha, alpha_type, factor))
        return check.type(false, alpha_type, "alphaType").status();
      if (!factor.place && factor.value == 0) return CUBLAS_STATUS_SUCCESS;
      return status_of(launch_axpy_short<T>(n, factor, from, to, handle->stream));
    } else {
      const Scalar<T> factor = scalar<T>(handle, alpha);
      if (!factor.place && is_zero(factor.value)) return CUBLAS_STATUS_SUCCESS;
      return status_of(launch_axpy<T>(n, factor, from, to, handle->stream));
    }
  });
}

cublasStatus_t copy_of_type(Handle handle, std::int64_t n, const void* x, cudaDataType x_type,
                            std::int64_t x_step, void* y, cudaDataType y_type,
                            std::int64_t y_step) {
  Check check(handle);
  check.type(x_type == y_type, y_type, "yType");
  if (check.failed()) return check.status();
  return with_elements(check, x_type, [&]<typename T>(T*) {
    if (n <= 0) return CUBLAS_STATUS_SUCCESS;
    return status_of(launch_copy<T>(n, vector(n, static_cast<const T*>(x), x_step),
                                    vector(n, static_cast<T*>(y), y_step), handle->stream));
  });
}

cublasStatus_t swap_of_type(Handle handle, std::int64_t n, void* x, cudaDataType x_type,
                            std::int64_t x_step, void* y, cudaDataType y_type,
                            std::int64_t y_step) {
  Check check(handle);
  check.type(x_type == y_type, y_type, "yType");
  if (check.failed()) return check.status();
  return with_elements(check, x_type, [&]<typename T>(T*) {
    if (n <= 0) return CUBLAS_STATUS_SUCCESS;
    return status_of(launch_swap<T>(n, vector(n, static_cast<T*>(x), x_step),
                                    vector(n, static_cast<T*>(y), y_step), handle->stream));
  });
}

/// Norms and sums without signs.
cublasStatus_t size_of_type(Sum sum, Handle handle, std::int64_t n, const void* x,
                            cudaDataType x_type, std::int64_t step, void* result,
                            cudaDataType result_type, cudaDataType execution) {
  Check check(handle);
  check.given(result, "result")
      .type(result_type == real_of(x_type), result_type, "resultType")
      .type(execution == computed(real_of(x_type)) || execution == x_type, execution,
            "executionType");
  if (check.failed()) return check.status();
  const auto run = [&]<typename T, typename Out>(T*, Out* place) {
    return give(handle, n <= 0 || step <= 0, place, [&](Out* to) {
      const Vector<const T> elements = {static_cast<const T*>(x), step};
      return launch_sum<T, Out>(sum, n, elements, elements, to, handle->stream);
    });
  };
  return with_elements(check, x_type, [&]<typename T>(T* type) {
    if constexpr (std::is_same_v<T, cuComplex>)
      return run(type, static_cast<float*>(result));
    else if constexpr (std::is_same_v<T, cuDoubleComplex>)
      return run(type, static_cast<double*>(result));
    else
      return run(type, static_cast<T*>(result));
  });
}

template <typename Index>
cublasStatus_t search_of_type(bool largest, Handle handle, std::int64_t n, const void* x,
                              cudaDataType x_type, std::int64_t step, Index* result) {
  Check check(handle);
  check.given(result, "result");
  if (check.failed()) return check.status();
  return with_elements(check, x_type, [&]<typename T>(T*) {
    return give(handle, n <= 0 || step <= 0, result, [&](Index* place) {
      return launch_search<T, Index>(largest, n, {static_cast<const T*>(x), step}, place,
                                     handle->stream);
    });
  });
}

}  // namespace
}  // namespace gridspan::libraries::blas

namespace blas = gridspan::libraries::blas;

#define GRIDSPAN_OF_TYPES(name, w, I)                                                             \
  cublasStatus_t cublasScal##name##w(cublasHandle_t handle, I n, const void* alpha,               \
                                     cudaDataType alphaType, void* x, cudaDataType xType, I incx, \
                                     cudaDataType executionType) {                                \
    return blas::scal_of_type(handle, n, alpha, alphaType, x, xType, incx, executionType);        \
  }                                                                                               \
  cublasStatus_t cublasAxpy##name##w(cublasHandle_t handle, I n, const void* alpha,               \
                                     cudaDataType alphaType, const void* x, cudaDataType xType,   \
                                     I incx, void* y, cudaDataType yType, I incy,                 \
                                     cudaDataType executionType) {                                \
    return blas::axpy_of_type(handle, n, alpha, alphaType, x, xType, incx, y, yType, incy,        \
                              executionType);                                                     \
  }                                                                                               \
  cublasStatus_t cublasCopy##name##w(cublasHandle_t handle, I n, const void* x,                   \
                                     cudaDataType xType, I incx, void* y, cudaDataType yType,     \
                                     I incy) {                                                    \
    return blas::copy_of_type(handle, n, x, xType, incx, y, yType, incy);                         \
  }                                                                                               \
  cublasStatus_t cublasSwap##name##w(cublasHandle_t handle, I n, void* x, cudaDataType xType,     \
                                     I incx, void* y, cudaDataType yType, I incy) {               \
    return blas::swap_of_type(handle, n, x, xType, incx, y, yType, incy);                         \
  }                                                                                               \
  cublasStatus_t cublasNrm2##name##w(cublasHandle_t handle, I n, const void* x,                   \
                                     cudaDataType xType, I incx, void* result,                    \
                                     cudaDataType resultType, cudaDataType executionType) {       \
    return blas::size_of_type(blas::Sum::norm, handle, n, x, xType, incx, result, resultType,     \
                              executionType);                                                     \
  }                                                                                               \
  cublasStatus_t cublasAsum##name##w(cublasHandle_t handle, I n, const void* x,                   \
                                     cudaDataType xType, I incx, void* result,                    \
                                     cudaDataType resultType, cudaDataType executionType) {       \
    return blas::size_of_type(blas::Sum::absolute, handle, n, x, xType, incx, result, resultType, \
                              executionType);                                                     \
  }                                                                                               \
  cublasStatus_t cublasIamax##name##w(cublasHandle_t handle, I n, const void* x,                  \
                                      cudaDataType xType, I incx, I* result) {                    \
    return blas::search_of_type<I>(true, handle, n, x, xType, incx, result);                      \
  }                                                                                               \
  cublasStatus_t cublasIamin##name##w(cublasHandle_t handle, I n, const void* x,                  \
                                      cudaDataType xType, I incx, I* result) {                    \
    return blas::search_of_type<I>(false, handle, n, x, xType, incx, result);                     \
  }

extern "C" {

GRIDSPAN_SIZES(GRIDSPAN_OF_TYPES, Ex)

}  // extern "C"
