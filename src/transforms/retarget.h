// Turns the canonical nvptx64 module into one for the CPU it will run on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace gridspan::transforms {

/// After make_parameters_plain and lower_globals: every pointer moves to address space 0, the
/// module gets the target's triple and data layout (type sizes agree: clang's NVPTX copies them
/// from the host), functions lose their GPU attributes, and all but the kernels become internal.
void retarget(llvm::Module& module, const llvm::TargetMachine& target);

/// Gives every function of the module the CPU and features of `target`.
void set_target_attributes(llvm::Module& module, const llvm::TargetMachine& target);

}  // namespace gridspan::transforms
