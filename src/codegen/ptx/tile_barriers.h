// Tiles of several warps meet at words in shared memory, which start as 0.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     kernel():                                kernel():
//       ... gridspan_numbered_barrier(...)  ►    gridspan_clear_tile_barriers()
//                                                ... gridspan_numbered_barrier(...)
//
// Both are functions of the library for GPUs, so this comes before it is linked.
#pragma once

#include "llvm/IR/Module.h"

namespace gridspan::codegen::ptx {

void clear_tile_barriers(llvm::Module& module);

}  // namespace gridspan::codegen::ptx
