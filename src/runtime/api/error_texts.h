// Name and wording of each error code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/api/cuda_api.h"

namespace gridspan::runtime {

struct ErrorText {
  cudaError_t code;
  const char* name;
  const char* words;  // what programs print, as CUDA words it
};

/// Null for a number that is no error code.
const ErrorText* error_text(cudaError_t code);

}  // namespace gridspan::runtime
