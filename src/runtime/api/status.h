// What an API call comes to: a code, and for failures the reason as text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/api/cuda_api.h"

#include <string>

namespace gridspan::runtime {

/// Converts from a bare code, so that `return cudaSuccess;` is a Status.
struct [[nodiscard]] Status {
  Status(cudaError_t code_) : code(code_) {}  // NOLINT(google-explicit-constructor)
  Status(cudaError_t code_, std::string reason_) : code(code_), reason(std::move(reason_)) {}

  bool failed() const { return code != cudaSuccess; }

  cudaError_t code;
  std::string reason;  // one line for GRIDSPAN_LOG=warn; empty = the code says it all
};

/// A failure with its reason, printf style.
Status refuse(cudaError_t code, const char* format, ...) __attribute__((format(printf, 2, 3)));

}  // namespace gridspan::runtime

/// Leaves the enclosing function with the status of `expression` if that failed.
#define GRIDSPAN_TRY(expression) \
  if (::gridspan::runtime::Status try_status = (expression); try_status.failed()) return try_status
