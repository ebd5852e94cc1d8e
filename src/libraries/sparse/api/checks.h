// cuSPARSE: checks of the arguments that calls give.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/sparse/api/descriptors.h"
#include "libraries/support/refusals.h"

namespace gridspan::libraries::sparse {

using Handle = Called<cusparseHandle_t>;

struct Answers {
  using Status = cusparseStatus_t;
  static constexpr Status invalid = CUSPARSE_STATUS_INVALID_VALUE;
  static constexpr Status no_handle = CUSPARSE_STATUS_NOT_INITIALIZED;
  static constexpr Status unsupported = CUSPARSE_STATUS_NOT_SUPPORTED;
};

inline bool is_operation(cusparseOperation_t operation) {
  return operation >= CUSPARSE_OPERATION_NON_TRANSPOSE &&
         operation <= CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
}

/// Checks of a call's arguments, which have the names of the documentation.
class Check : public ArgumentCheck<Check, Answers> {
 public:
  using ArgumentCheck::ArgumentCheck;
  explicit Check(const Handle& handle) : ArgumentCheck(handle.call(), handle.handle()) {}

  Check& operation(cusparseOperation_t operation, const char* argument) {
    return known(is_operation(operation), operation, argument);
  }
  /// A format, or types, that the function has.
  Check& there(bool is_there, const char* argument) {
    return that(is_there, argument, Answers::unsupported,
                "has a format or types that are not there with the others");
  }
  /// The type of a legacy function's matrix.
  Check& general(cusparseMatDescr_t descriptor, const char* argument) {
    return that(failed() || cusparseGetMatType(descriptor) == CUSPARSE_MATRIX_TYPE_GENERAL,
                argument, CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED, "is not of a general matrix");
  }
};

}  // namespace gridspan::libraries::sparse
