// How large special registers can be.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/Module.h"

namespace gridspan::transforms {

/// Notes CUDA's limits at every read of threadIdx, blockIdx, blockDim and gridDim (launches beyond
/// them are refused), so that `threadIdx.x / 32` is a shift also where it is signed.
void note_register_ranges(llvm::Module& module);

/// The same for a kernel with __launch_bounds__, which launches obey: threadIdx and blockDim are
/// smaller along each axis.
void note_launch_bounds(llvm::Function& kernel, std::uint32_t most_threads);

}  // namespace gridspan::transforms
