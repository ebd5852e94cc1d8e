// cuBLAS: results, in host or in device memory as the handle says.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/blas/api/arguments.h"

namespace gridspan::libraries::blas {

/// `compute` puts a result into device memory. A result in host memory is waited for.
template <typename Out, typename Compute>
cublasStatus_t give(cublasHandle_t handle, bool is_empty, Out* result, Compute compute) {
  const cudaStream_t stream = handle->stream;
  if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
    return status_of(is_empty ? cudaMemsetAsync(result, 0, sizeof(Out), stream) : compute(result));
  if (is_empty) {
    *result = Out{};
    return CUBLAS_STATUS_SUCCESS;
  }
  void* place = nullptr;
  if (cudaMallocAsync(&place, sizeof(Out), stream) != cudaSuccess)
    return CUBLAS_STATUS_ALLOC_FAILED;
  cudaError_t error = compute(static_cast<Out*>(place));
  if (error == cudaSuccess)
    error = cudaMemcpyAsync(result, place, sizeof(Out), cudaMemcpyDeviceToHost, stream);
  const cudaError_t freed = cudaFreeAsync(place, stream);
  const cudaError_t waited = cudaStreamSynchronize(stream);
  return status_of(error != cudaSuccess ? error : freed != cudaSuccess ? freed : waited);
}

}  // namespace gridspan::libraries::blas
