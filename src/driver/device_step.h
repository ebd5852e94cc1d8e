// The steps done inside gridcc: the device compiler, and the module reference.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "codegen/device_compiler.h"
#include "driver/invocation.h"

namespace gridspan::driver {

/// Which messages of the device compiler the user wants to see.
struct MessagePolicy {
  bool no_warnings = false;
  bool warnings_as_errors = false;
  bool remarks = false;
};

/// Compiles the module and prints what the device compiler says. False on errors.
bool run_device_compiler(const codegen::DeviceRequest& request, MessagePolicy policy);

/// Runs one step that a user copied from the output of -###. Returns the exit status.
int run_internal_step(const InternalStep& step);

}  // namespace gridspan::driver
