// cuSOLVER: arguments as calls give them, and what they are answered.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/solver/api/checks.h"
#include "libraries/solver/api/context.h"
#include "libraries/solver/kernels/steps.h"

#include <cstdint>

namespace gridspan::libraries::solver {

inline cusolverStatus_t status_of(cudaError_t error) {
  if (error == cudaSuccess) return CUSOLVER_STATUS_SUCCESS;
  return error == cudaErrorMemoryAllocation ? CUSOLVER_STATUS_ALLOC_FAILED
                                            : CUSOLVER_STATUS_EXECUTION_FAILED;
}

/// Kernels' numbers for a program's.
template <typename T>
Inner<T>* inner(T* x) {
  return reinterpret_cast<Inner<T>*>(x);
}
template <typename T>
const Inner<T>* inner(const T* x) {
  return reinterpret_cast<const Inner<T>*>(x);
}

/// Calls `run` with a number of the type that kernels have for it.
template <typename Run>
cusolverStatus_t with_type(cudaDataType type, Run run) {
  switch (type) {
    case CUDA_R_32F:
      return run(0.0f);
    case CUDA_R_64F:
      return run(0.0);
    case CUDA_C_32F:
      return run(Complex<float>{});
    case CUDA_C_64F:
      return run(Complex<double>{});
    default:
      return CUSOLVER_STATUS_NOT_SUPPORTED;
  }
}

/// A size in elements of T of a workspace, for functions that count in int.
template <typename T>
cusolverStatus_t give_elements(std::size_t bytes, int* elements) {
  const std::size_t count = std::max<std::size_t>((bytes + sizeof(T) - 1) / sizeof(T), 1);
  if (count > INT32_MAX) return CUSOLVER_STATUS_INVALID_VALUE;
  *elements = static_cast<int>(count);
  return CUSOLVER_STATUS_SUCCESS;
}

/// The same in bytes, for functions of 64-bit sizes. Nothing is needed on the host.
inline cusolverStatus_t give_bytes(const Check& check, std::size_t bytes, std::size_t* on_device,
                                   std::size_t* on_host) {
  if (check.failed()) return check.status();
  *on_device = bytes;
  *on_host = 0;
  return CUSOLVER_STATUS_SUCCESS;
}

}  // namespace gridspan::libraries::solver
