// cuSPARSE: what statuses are called and mean.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cusparse.h>

extern "C" {

const char* cusparseGetErrorName(cusparseStatus_t status) {
  switch (status) {
    case CUSPARSE_STATUS_SUCCESS:
      return "CUSPARSE_STATUS_SUCCESS";
    case CUSPARSE_STATUS_NOT_INITIALIZED:
      return "CUSPARSE_STATUS_NOT_INITIALIZED";
    case CUSPARSE_STATUS_ALLOC_FAILED:
      return "CUSPARSE_STATUS_ALLOC_FAILED";
    case CUSPARSE_STATUS_INVALID_VALUE:
      return "CUSPARSE_STATUS_INVALID_VALUE";
    case CUSPARSE_STATUS_ARCH_MISMATCH:
      return "CUSPARSE_STATUS_ARCH_MISMATCH";
    case CUSPARSE_STATUS_MAPPING_ERROR:
      return "CUSPARSE_STATUS_MAPPING_ERROR";
    case CUSPARSE_STATUS_EXECUTION_FAILED:
      return "CUSPARSE_STATUS_EXECUTION_FAILED";
    case CUSPARSE_STATUS_INTERNAL_ERROR:
      return "CUSPARSE_STATUS_INTERNAL_ERROR";
    case CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED:
      return "CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED";
    case CUSPARSE_STATUS_ZERO_PIVOT:
      return "CUSPARSE_STATUS_ZERO_PIVOT";
    case CUSPARSE_STATUS_NOT_SUPPORTED:
      return "CUSPARSE_STATUS_NOT_SUPPORTED";
    case CUSPARSE_STATUS_INSUFFICIENT_RESOURCES:
      return "CUSPARSE_STATUS_INSUFFICIENT_RESOURCES";
  }
  return "unrecognized error code";
}

const char* cusparseGetErrorString(cusparseStatus_t status) {
  switch (status) {
    case CUSPARSE_STATUS_SUCCESS:
      return "success";
    case CUSPARSE_STATUS_NOT_INITIALIZED:
      return "the handle was not created, or destroyed";
    case CUSPARSE_STATUS_ALLOC_FAILED:
      return "no memory for the library's own use";
    case CUSPARSE_STATUS_INVALID_VALUE:
      return "a parameter has a value that is not allowed";
    case CUSPARSE_STATUS_ARCH_MISMATCH:
      return "the device lacks a feature that the function needs";
    case CUSPARSE_STATUS_MAPPING_ERROR:
      return "device memory could not be accessed";
    case CUSPARSE_STATUS_EXECUTION_FAILED:
      return "a kernel failed";
    case CUSPARSE_STATUS_INTERNAL_ERROR:
      return "an internal operation failed";
    case CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED:
      return "the function does not take a matrix of this type";
    case CUSPARSE_STATUS_ZERO_PIVOT:
      return "an element of the diagonal is zero";
    case CUSPARSE_STATUS_NOT_SUPPORTED:
      return "the function or its parameters are not supported";
    case CUSPARSE_STATUS_INSUFFICIENT_RESOURCES:
      return "the computation needs more memory";
  }
  return "unrecognized error code";
}

}  // extern "C"
