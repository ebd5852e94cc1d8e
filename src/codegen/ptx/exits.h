// Kernels are kept from computing everything at their end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM moves what is used once into the block of its use, if that one returns: so what a kernel
// without early returns computes early goes to its end, where all of it is alive at once. 14 sines
// and cosines then take 255 registers instead of 84, and a processor holds a third of the warps. So
// while kernels are optimised their last block does not return; all returns are one block, where an
// early one that nobody takes leads, too:
//
//     K: ...                  K: br @gridspan_never(), exit, body
//        last; ret      ►     body: ... last; br exit
//                             exit: ret
#pragma once

#include "llvm/IR/Module.h"

namespace gridspan::codegen::ptx {

void separate_exits(llvm::Module& module);
/// Takes back what is left of that.
void join_exits(llvm::Module& module);

}  // namespace gridspan::codegen::ptx
