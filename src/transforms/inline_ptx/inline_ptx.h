// Inline PTX becomes LLVM IR.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     asm("add.cc.u32 %0, %1, %2;" …)  ►  %wide = add i64 …, the carry in a variable of the
//     function asm("@p ld.global.f32 …")        ►  br i1 %p, …  load float
//
// Runs first of all, on the canonical form, so that kernel models see what the statements do and
// the rest of the compiler sees no assembly. An instruction that is not known is the user's error.
#pragma once

#include "transforms/diagnostics.h"

#include "llvm/IR/Module.h"

namespace gridspan::transforms {

void lower_inline_ptx(llvm::Module& module, UserErrors& errors);

}  // namespace gridspan::transforms
