// Lowers what NVVM offers besides arithmetic, barriers and warp operations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "transforms/diagnostics.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Module.h"

namespace gridspan::transforms {

/// Lane and warp registers, clocks, fences, read-only loads, traps and the device-side C library
/// become plain IR, markers or calls of the run time (abi/services.h). Arithmetic intrinsics become
/// calls of __gridspan_nvvm_* for the device library to define.
void lower_intrinsics(llvm::Module& module);

/// A function that device code may call without any source defining it: lower_intrinsics, the
/// device library or the run time does.
bool is_device_service(llvm::StringRef name);

/// Names of the functions the module calls without defining them; intrinsics not counted.
llvm::StringSet<> undefined_functions(const llvm::Module& module);

/// Reports the calls of `wanted` functions that are still undefined once the device library is
/// linked. What the library itself calls (libm) is the linker's business.
void check_undefined(llvm::Module& module, const llvm::StringSet<>& wanted, UserErrors& errors);

}  // namespace gridspan::transforms
