// cuBLAS: arguments as calls give them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/blas/api/checks.h"
#include "libraries/blas/api/context.h"
#include "libraries/blas/kernels/numbers.h"
#include "libraries/blas/kernels/vectors.h"

#include <cublas_api.h>

#include <cstdint>

namespace gridspan::libraries::blas {

inline cublasStatus_t status_of(cudaError_t error) {
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

/// alpha or beta, in host or in device memory as the handle says.
template <typename T>
Scalar<T> scalar(cublasHandle_t handle, const void* number) {
  const T* const given = static_cast<const T*>(number);
  if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE) return {zero<T>(), given};
  return {*given, nullptr};
}

/// A vector of `count` elements, `step` apart; a negative step begins at the end.
template <typename T>
Vector<T> vector(std::int64_t count, T* x, std::int64_t step) {
  return {step < 0 ? x + (1 - count) * step : x, step};
}

/// An array of pointers of any type.
template <typename T>
const void* const* pointers(T* const* array) {
  return reinterpret_cast<const void* const*>(array);
}

}  // namespace gridspan::libraries::blas

/// A routine with both widths of sizes.
#define GRIDSPAN_SIZES(routine, ...) routine(__VA_ARGS__, , int) routine(__VA_ARGS__, _64, int64_t)
