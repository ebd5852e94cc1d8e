// The variables threadIdx, blockIdx, blockDim, gridDim and warpSize.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The headers declare the first four as objects that each thread has its own of; clang writes
//
//     %p = call ptr @llvm.threadlocal.address(@threadIdx)      %x = call i32 @llvm.nvvm.read.
//     %y = getelementptr %p, 4                             →              ptx.sreg.tid.y()
//     %x = load i32, %y
//
// Reading a member is reading a register, and a copy is three of them. Where the address itself is
// wanted (a reference that is bound or handed on, one of two that is chosen) there is an object in
// the memory of the thread. It is made when the kernel begins, so that references to it may leave
// the functions they are made in: those are inlined, which is what needs none.
#pragma once

#include "transforms/diagnostics.h"

#include "llvm/IR/Module.h"

namespace gridspan::transforms {

/// A declaration that no program has a definition of.
bool is_builtin_variable(const llvm::GlobalValue& value);

/// Comes first of all: nothing else knows of these variables. Refuses references that outlive the
/// object because the function that makes them cannot be inlined.
void lower_builtin_variables(llvm::Module& module, UserErrors& errors);

}  // namespace gridspan::transforms
