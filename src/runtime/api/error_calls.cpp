// The last error, and errors in words.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/call.h"
#include "runtime/api/error_texts.h"

using namespace gridspan::runtime;

namespace {

/// A fault stays the last error of every thread until the process ends.
cudaError_t sticky_if_any() {
  const Runtime* state = runtime_if_started();
  return state ? sticky_error(*state) : cudaSuccess;
}

}  // namespace

cudaError_t cudaGetLastError(void) {
  if (const cudaError_t sticky = sticky_if_any()) return sticky;
  const cudaError_t error = last_error;
  last_error = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError(void) {
  if (const cudaError_t sticky = sticky_if_any()) return sticky;
  return last_error;
}

const char* cudaGetErrorName(cudaError_t error) {
  const ErrorText* text = error_text(error);
  return text ? text->name : "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
  const ErrorText* text = error_text(error);
  return text ? text->words : "unrecognized error code";
}
