// Structs that a kernel takes by value stay where they are.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     __global__ void step(Tables tables) { ... = look_up(tables, i); }
//
// A kernel's parameters lie in memory that it can't write. LLVM has each thread copy a struct into
// memory of its own as soon as its address goes to a function that is not inlined, for that might
// write it. What only reads it gets the parameter's own address.
#pragma once

#include "llvm/IR/Module.h"

namespace gridspan::codegen::ptx {

/// Marks them as __grid_constant__ does. Comes when it is known what functions do to what they are
/// given.
void keep_read_only_structs(llvm::Module& module);

}  // namespace gridspan::codegen::ptx
