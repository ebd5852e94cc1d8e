// Kernels whose threads, or blocks, have nothing to do with one another.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/Function.h"

namespace gridspan::transforms {

/// No thread of a block waits for another one, looks at what it does by atomics or volatile
/// accesses, or uses shared memory; none calls the run time. A block's threads may then run on
/// several cores (Polygeist-CPU, section IV-D).
bool threads_are_apart(llvm::Function& kernel);

/// A loop may go on until another block has written something: it has an atomic operation whose
/// result is used, a fence, or an access that is volatile or past the nearest cache (ld.cg). GPUs
/// begin blocks in order, so programs may wait for those before them (look-back of a scan).
bool blocks_may_wait(llvm::Function& kernel);

}  // namespace gridspan::transforms
