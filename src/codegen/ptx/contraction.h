// Products and sums become fused multiply-adds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     p = a * b; s = p + c      ►      s = fma(a, b, c)
//     s = fmuladd(a, b, c)      ►      s = fma(a, b, c)
//
// LLVM would choose them when it writes PTX, by what is in a block then. Chosen here, and nowhere
// else, they do not depend on what a kernel is made part of (transforms/glue.h).
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace gridspan::codegen::ptx {

/// Of operations that may be contracted, of one block, in types that the GPU has an instruction
/// for. Afterwards none may, but for those that may be reassociated (-use_fast_math): LLVM makes
/// more of them, and such kernels are never part of another.
void contract(llvm::Module& module, const llvm::TargetMachine& gpu);

}  // namespace gridspan::codegen::ptx
