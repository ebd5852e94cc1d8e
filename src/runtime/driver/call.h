// Every function of the driver API goes through here.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver API is the run-time API under other names: streams, events and memory are the same
// things in both, and a function of a loaded module is registered as kernels of the program are. So
// these functions check what is the driver's own, the initialisation and the context, and call the
// run-time function, which does, logs and records the rest.
#pragma once

#include "runtime/api/cuda_api.h"

#pragma GCC visibility push(default)
#include "cuda.h"
#pragma GCC visibility pop

namespace gridspan::runtime::driver {

/// The driver's code for a failure of the run-time API.
CUresult to_result(cudaError_t error);

/// What a call needs to be allowed.
enum class Needs : unsigned char { nothing, initialisation, context };
CUresult check(Needs needs);

/// Says why in the log, as the run-time API does.
CUresult refuse(const char* call, CUresult result, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

/// Keeps what cudaGetLastError will say from calls that the program did not make.
class KeepLastError {
 public:
  KeepLastError();
  KeepLastError(const KeepLastError&) = delete;
  KeepLastError& operator=(const KeepLastError&) = delete;
  ~KeepLastError();

 private:
  cudaError_t before_;
};

/// Calls `body`, which returns a cudaError_t.
template <class Body>
CUresult call(Needs needs, Body body) {
  if (const CUresult result = check(needs)) return result;
  const KeepLastError keep;
  return to_result(body());
}

/// A device address as the run-time API takes it.
inline void* pointer(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

}  // namespace gridspan::runtime::driver
