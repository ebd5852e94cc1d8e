// Brings every barrier and warp operation into the kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Module.h"

namespace gridspan::transforms {

/// Marks every function that may reach a sync point through direct calls `alwaysinline`, so that
/// regions can be cut inside kernels. Recursive functions cannot be: kernels that reach them run on
/// fibers (see choose_executor).
void force_inlining_of_sync(llvm::Module& module);

/// Functions that contain a sync point or call, directly, one that does.
llvm::SetVector<llvm::Function*> functions_with_sync(llvm::Module& module);

}  // namespace gridspan::transforms
