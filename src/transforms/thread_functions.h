// Device functions that stay functions learn which thread calls them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Module.h"

#include <vector>

namespace gridspan::transforms {

/// Gives every device function that needs it (it asks for special registers, shared memory or
/// symbols, meets other threads, calls through a pointer, has its address taken, or calls such a
/// function) a hidden first parameter `ThreadContext*`. Calls through pointers pass it too, so
/// function tables and virtual functions work. Kernels keep their signature; they pass
/// @gridspan.thread. Call after inlining and before the kernels are cut.
/// Returns the functions that now have it.
std::vector<llvm::Function*> pass_thread_to_functions(
    llvm::Module& module, const llvm::SmallPtrSetImpl<llvm::Function*>& kernels);

/// Copies what decides how code is generated (floating-point mode and the like), and nothing that
/// was inferred about memory or callers, from one function to one made from it.
void copy_code_attributes(const llvm::Function& from, llvm::Function& to);

/// Clears `tail` from every call: passes set it while no argument pointed into the function's
/// stack, which changes when markers and parameters become stack variables.
void forget_tail_calls(llvm::Function& function);

/// Gives each kernel a private copy of the by-value structs it writes to or hands out.
void copy_written_parameters(llvm::Function& kernel);

}  // namespace gridspan::transforms
