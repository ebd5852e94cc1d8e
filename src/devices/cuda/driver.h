// The CUDA driver, found when the program runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/cuda/driver_api.h"
#include "devices/device.h"
#include "support/result.h"

#include <string>

namespace gridspan::devices::cuda {

/// The driver's functions. One for the process, never destroyed: the driver itself ends with it.
struct Driver {
  // NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration has no room for them
#define GRIDSPAN_CUDA_POINTER(name, symbol, parameters) Result(*name) parameters = nullptr;
  GRIDSPAN_CUDA_FUNCTIONS(GRIDSPAN_CUDA_POINTER)
  GRIDSPAN_CUDA_LATER_FUNCTIONS(GRIDSPAN_CUDA_POINTER)
#undef GRIDSPAN_CUDA_POINTER

  void* library = nullptr;
  bool is_fake = false;  // tests/devices/fake_cuda stands in for it

  /// Loads the compiler that the driver else loads when it first needs it: a thread of ours that
  /// did so would wait for a program that closes a library, and so waits for the thread.
  void load_compiler() const;
  /// It has all that graphs are made with.
  bool makes_graphs() const;

  /// What went wrong, in one line that names the call.
  std::string describe(Result error, const char* call) const;
  /// The same as a result of a part or a copy. Errors of a kernel show at the next call that waits
  /// for it.
  RunResult fault(Result error, const char* call) const;
  /// The same of a call that launches, which may tell of kernels before, or refuse this one.
  RunResult launch_fault(Result error, const char* call) const;
};

/// The driver, initialised at the first call. The error says in one line why there is none.
support::Result<const Driver*> driver();

}  // namespace gridspan::devices::cuda
