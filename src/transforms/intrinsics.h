// Lowers what NVVM offers besides arithmetic, barriers and warp operations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "transforms/diagnostics.h"

#include "llvm/IR/Module.h"

namespace gridspan::transforms {

/// Lane and warp registers, clocks, fences, read-only loads, traps and the device-side C library
/// become plain IR, markers or calls of the run time (abi/services.h). Arithmetic intrinsics become
/// calls of __gridspan_nvvm_* for the device library to define.
void lower_intrinsics(llvm::Module& module);

/// Inline assembly and calls of functions nobody defines, with their lines. Call `check_assembly`
/// on clang's module and `check_undefined` once the device library is linked.
void check_assembly(llvm::Module& module, UserErrors& errors);
void check_undefined(llvm::Module& module, UserErrors& errors);

}  // namespace gridspan::transforms
