// Initialisation, error codes, error texts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/driver/call.h"

#include "runtime/api/call.h"
#include "runtime/driver/contexts.h"

#include <cstdarg>
#include <cstdio>

namespace gridspan::runtime::driver {

CUresult to_result(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return CUDA_SUCCESS;
    case cudaErrorMemoryAllocation:
      return CUDA_ERROR_OUT_OF_MEMORY;
    case cudaErrorInitializationError:
      return CUDA_ERROR_NOT_INITIALIZED;
    case cudaErrorLaunchMaxDepthExceeded:
      return CUDA_ERROR_UNKNOWN;
    default:
      // From 100 on both number the same errors alike; below are the run-time API's own.
      return error >= cudaErrorNoDevice ? static_cast<CUresult>(error) : CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult check(Needs needs) {
  if (needs == Needs::nothing) return CUDA_SUCCESS;
  if (!is_initialised()) return CUDA_ERROR_NOT_INITIALIZED;
  const bool may_call = needs == Needs::initialisation || current_context() != nullptr;
  return may_call ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult refuse(const char* call, CUresult result, const char* format, ...) {
  if (!support::logs(support::LogLevel::warn)) return result;
  char reason[512];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(reason, sizeof reason, format, arguments);
  va_end(arguments);
  support::log(support::LogLevel::warn, "%s: %s", call, reason);
  return result;
}

KeepLastError::KeepLastError() : before_(last_error) {}
KeepLastError::~KeepLastError() { last_error = before_; }

}  // namespace gridspan::runtime::driver
