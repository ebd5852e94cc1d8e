// cuBLAS: what statuses are called and mean.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cublas_api.h>

extern "C" {

const char* cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS:
      return "CUBLAS_STATUS_SUCCESS";
    case CUBLAS_STATUS_NOT_INITIALIZED:
      return "CUBLAS_STATUS_NOT_INITIALIZED";
    case CUBLAS_STATUS_ALLOC_FAILED:
      return "CUBLAS_STATUS_ALLOC_FAILED";
    case CUBLAS_STATUS_INVALID_VALUE:
      return "CUBLAS_STATUS_INVALID_VALUE";
    case CUBLAS_STATUS_ARCH_MISMATCH:
      return "CUBLAS_STATUS_ARCH_MISMATCH";
    case CUBLAS_STATUS_MAPPING_ERROR:
      return "CUBLAS_STATUS_MAPPING_ERROR";
    case CUBLAS_STATUS_EXECUTION_FAILED:
      return "CUBLAS_STATUS_EXECUTION_FAILED";
    case CUBLAS_STATUS_INTERNAL_ERROR:
      return "CUBLAS_STATUS_INTERNAL_ERROR";
    case CUBLAS_STATUS_NOT_SUPPORTED:
      return "CUBLAS_STATUS_NOT_SUPPORTED";
    case CUBLAS_STATUS_LICENSE_ERROR:
      return "CUBLAS_STATUS_LICENSE_ERROR";
  }
  return "CUBLAS_STATUS_UNKNOWN";
}

const char* cublasGetStatusString(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS:
      return "success";
    case CUBLAS_STATUS_NOT_INITIALIZED:
      return "the handle was not created, or destroyed";
    case CUBLAS_STATUS_ALLOC_FAILED:
      return "no memory for the library's own use";
    case CUBLAS_STATUS_INVALID_VALUE:
      return "a parameter has a value that is not allowed";
    case CUBLAS_STATUS_ARCH_MISMATCH:
      return "the device lacks a feature that the function needs";
    case CUBLAS_STATUS_MAPPING_ERROR:
      return "device memory could not be accessed";
    case CUBLAS_STATUS_EXECUTION_FAILED:
      return "a kernel failed";
    case CUBLAS_STATUS_INTERNAL_ERROR:
      return "an internal operation failed";
    case CUBLAS_STATUS_NOT_SUPPORTED:
      return "the function or its parameters are not supported";
    case CUBLAS_STATUS_LICENSE_ERROR:
      return "a licence is missing";
  }
  return "unknown status";
}

}  // extern "C"
