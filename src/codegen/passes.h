// LLVM's own pass pipelines, as the device compiler uses them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace gridspan::codegen {

/// Inlines and simplifies; no vectorising, no unrolling of long loops: the form kernels are cut in.
void simplify(llvm::Module& module, llvm::TargetMachine& target);

/// Optimises finished CPU code at -O<level>.
void optimise(llvm::Module& module, llvm::TargetMachine& target, unsigned level);

/// Writes the relocatable object. False, with `error` set, when the file cannot be written.
bool emit_object(llvm::Module& module, llvm::TargetMachine& target, llvm::StringRef path,
                 std::string& error);

}  // namespace gridspan::codegen
