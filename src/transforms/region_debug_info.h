// Line tables for region functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace gridspan::transforms {

/// Gives `region`, whose code is about to be copied from `kernel`, a subprogram of its own, and
/// prepares `map` such that remapping moves copied locations under it. A subprogram belongs to one
/// function only. Does nothing for kernels without debug information.
void adopt_debug_info(llvm::Function& kernel, llvm::Function& region, llvm::ValueToValueMapTy& map);

}  // namespace gridspan::transforms
