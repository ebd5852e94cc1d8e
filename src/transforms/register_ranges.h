// How large special registers can be.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/Module.h"

namespace gridspan::transforms {

/// Notes CUDA's limits at every read of threadIdx, blockIdx, blockDim and gridDim (launches beyond
/// them are refused), so that `threadIdx.x / 32` is a shift also where it is signed.
void note_register_ranges(llvm::Module& module);

}  // namespace gridspan::transforms
