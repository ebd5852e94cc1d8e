// One question for each of threadIdx, blockDim, shared memory and the like, at a kernel's
// beginning. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/Function.h"

namespace gridspan::transforms {

/// LLVM makes a phi of two reads of `blockDim.x` on different ways, as of any two calls. Such a phi
/// looks as if it differed between threads that part ways: loops that step by it have no strides,
/// and it is kept for each thread across barriers. The answer never changes, so one is enough.
void ask_context_once(llvm::Function& kernel);

}  // namespace gridspan::transforms
