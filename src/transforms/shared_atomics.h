// Atomics on shared memory become plain read-modify-write.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/Function.h"

namespace gridspan::transforms {

/// One block runs on one core, so nobody else sees its shared memory between load and store. Holds
/// for regions and fibers alike (fibers switch only where the code calls the run time). Returns how
/// many atomics were rewritten.
unsigned make_shared_atomics_plain(llvm::Function& function);

}  // namespace gridspan::transforms
