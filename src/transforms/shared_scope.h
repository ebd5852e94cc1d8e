// Shared memory and the memory that kernels are handed pointers to are apart.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Once address spaces are gone, LLVM has to suppose that a store through a kernel's argument
// changes the tile: `for (j ...) out[t] += f(tile[j])` loads and stores out[t] in each round. But
// no pointer into a block's shared memory outlives the block, so none can be an argument of a
// kernel, nor can
// __device__ variables lie there. Each access that surely goes to one of the two is marked with a
// scope of its own (!alias.scope, !noalias).
#pragma once

#include "llvm/IR/Function.h"

namespace gridspan::transforms {

/// Not for functions that a kernel calls: their arguments may point anywhere.
void tell_shared_apart(llvm::Function& kernel);

}  // namespace gridspan::transforms
