// The steps done inside gridcc: the device compiler, and the module reference.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "codegen/device_compiler.h"
#include "driver/device_cache.h"
#include "driver/invocation.h"
#include "driver/library_kernels_step.h"
#include "driver/relocatable_object.h"

namespace gridspan::driver {

/// Which messages of the device compiler the user wants to see.
struct MessagePolicy {
  bool no_warnings = false;
  bool warnings_as_errors = false;
  bool remarks = false;
};

/// Whether what was compiled before may serve again.
struct CacheUse {
  const DeviceCache* cache = nullptr;  // null: no
  bool is_verbose = false;             // it is told on standard error when it does
};

/// Compiles the module, in parts if it may, and prints what the device compiler says. False on
/// errors.
bool run_device_compiler(const codegen::DeviceRequest& request, MessagePolicy policy,
                         CacheUse use = {}, const PartsUse& parts = {});

/// The same for -rdc=true: what can be said of the device code now is, and the object is made.
bool run_relocatable_step(const RelocatableParts& parts, const std::string& object,
                          MessagePolicy policy);

/// Runs one step that a user copied from the output of -###. Returns the exit status.
int run_internal_step(const InternalStep& step);

}  // namespace gridspan::driver
