// Kernel models as constants and native functions, in the layout of src/abi/model.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/allowance.h"
#include "model/kernel.h"
#include "transforms/lower_globals.h"

#include "llvm/IR/Module.h"

#include <vector>

namespace gridspan::codegen {

/// Address of a constant abi::KernelModel for `kernel` (proven) in `module` (of the CPU target).
/// What cannot be compiled within isl's limits is left out in the safe direction: a footprint
/// becomes unbounded, a predicate false, a split illegal. Symbols that `symbols` lacks get index
/// -1. `footprints`: what isl may still do for those of this module's kernels.
llvm::Constant* add_model(llvm::Module& module, const model::Kernel& kernel,
                          const std::vector<transforms::DeviceSymbol>& symbols,
                          model::Allowance& footprints);

}  // namespace gridspan::codegen
