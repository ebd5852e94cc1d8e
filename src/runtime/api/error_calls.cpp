// The last error, and errors in words.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/call.h"
#include "runtime/api/error_texts.h"

using namespace gridspan::runtime;

// A fault stays the last error of every thread that a call has told of it.
cudaError_t cudaGetLastError(void) {
  const cudaError_t error = last_error;
  const Runtime* state = runtime_if_started();
  const bool is_sticky = state && error != cudaSuccess && error == sticky_error(*state);
  if (!is_sticky) last_error = cudaSuccess;
  record_call(__func__, GRIDSPAN_DESCRIBE(), true, [&] { return cudaGetErrorName(error); });
  return error;
}

cudaError_t cudaPeekAtLastError(void) {
  record_call(__func__, GRIDSPAN_DESCRIBE(), true, [] { return cudaGetErrorName(last_error); });
  return last_error;
}

// These two look nothing up but a table, and are no part of a recording.
const char* cudaGetErrorName(cudaError_t error) {
  const ErrorText* text = error_text(error);
  return text ? text->name : "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
  const ErrorText* text = error_text(error);
  return text ? text->words : "unrecognized error code";
}
