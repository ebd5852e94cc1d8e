// Kernels whose threads have nothing to do with one another.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/Function.h"

namespace gridspan::transforms {

/// No thread of a block waits for another one, looks at what it does by atomics or volatile
/// accesses, or uses shared memory; none calls the run time. A block's threads may then run on
/// several cores (Polygeist-CPU, section IV-D).
bool threads_are_apart(llvm::Function& kernel);

}  // namespace gridspan::transforms
