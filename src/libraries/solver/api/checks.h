// cuSOLVER: checks of the arguments that calls give.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/solver/api/context.h"
#include "libraries/support/refusals.h"

namespace gridspan::libraries::solver {

struct Answers {
  using Status = cusolverStatus_t;
  static constexpr Status invalid = CUSOLVER_STATUS_INVALID_VALUE;
  static constexpr Status no_handle = CUSOLVER_STATUS_NOT_INITIALIZED;
  static constexpr Status unsupported = CUSOLVER_STATUS_NOT_SUPPORTED;
};

/// Checks of a call's arguments, which have the names of the documentation.
class Check : public ArgumentCheck<Check, Answers> {
 public:
  using ArgumentCheck::ArgumentCheck;

  Check& fill(cublasFillMode_t fill) {
    return known(fill == CUBLAS_FILL_MODE_LOWER || fill == CUBLAS_FILL_MODE_UPPER, fill, "uplo");
  }
  Check& operation(cublasOperation_t operation) {
    const bool is_one =
        operation == CUBLAS_OP_N || operation == CUBLAS_OP_T || operation == CUBLAS_OP_C;
    return known(is_one, operation, "trans");
  }
};

}  // namespace gridspan::libraries::solver
