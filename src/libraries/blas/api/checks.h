// cuBLAS: checks of the arguments that calls give.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/blas/api/context.h"
#include "libraries/support/refusals.h"

#include <cublas_api.h>

namespace gridspan::libraries::blas {

using Handle = Called<cublasHandle_t>;

struct Answers {
  using Status = cublasStatus_t;
  static constexpr Status invalid = CUBLAS_STATUS_INVALID_VALUE;
  static constexpr Status no_handle = CUBLAS_STATUS_NOT_INITIALIZED;
  static constexpr Status unsupported = CUBLAS_STATUS_NOT_SUPPORTED;
};

inline bool is_operation(cublasOperation_t operation) {
  return operation == CUBLAS_OP_N || operation == CUBLAS_OP_T || operation == CUBLAS_OP_C;
}
inline bool is_triangle(cublasFillMode_t fill) {
  return fill == CUBLAS_FILL_MODE_LOWER || fill == CUBLAS_FILL_MODE_UPPER;
}
inline bool is_side(cublasSideMode_t side) {
  return side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT;
}
inline bool is_diagonal(cublasDiagType_t diagonal) {
  return diagonal == CUBLAS_DIAG_UNIT || diagonal == CUBLAS_DIAG_NON_UNIT;
}

/// Checks of a call's arguments, which have the names of the documentation.
class Check : public ArgumentCheck<Check, Answers> {
 public:
  using ArgumentCheck::ArgumentCheck;
  explicit Check(const Handle& handle) : ArgumentCheck(handle.call(), handle.handle()) {}

  Check& operation(cublasOperation_t operation, const char* argument = "trans") {
    return known(is_operation(operation), operation, argument);
  }
  Check& fill(cublasFillMode_t fill) { return known(is_triangle(fill), fill, "uplo"); }
  Check& side(cublasSideMode_t side, const char* argument = "side") {
    return known(is_side(side), side, argument);
  }
  Check& diagonal(cublasDiagType_t diagonal) {
    return known(is_diagonal(diagonal), diagonal, "diag");
  }
  /// An element type that goes with the call's others.
  Check& type(bool is_there, cudaDataType type, const char* argument) {
    return known(is_there, type, argument, Answers::unsupported,
                 "a type that is not there with the others");
  }
};

}  // namespace gridspan::libraries::blas
