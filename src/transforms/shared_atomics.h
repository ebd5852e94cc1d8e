// Atomics on shared memory become plain read-modify-write.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/Function.h"

namespace gridspan::transforms {

/// One block runs on one core, so nobody else sees its shared memory between load and store. Holds
/// for regions and fibers alike (fibers switch only where the code calls the run time). Returns how
/// many atomics were rewritten.
///
/// The loads and stores that take their place are marked: threads of a region still meet in them.
unsigned make_shared_atomics_plain(llvm::Function& function);

/// The access is what became of an atomic: threads depend on each other through it.
bool was_atomic(const llvm::Instruction& access);

}  // namespace gridspan::transforms
