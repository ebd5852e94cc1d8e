// Atomics on shared memory become plain read-modify-write.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One block runs on one core, so nobody else sees its shared memory between load and store. Holds
// for regions and fibers alike (fibers switch only where the code calls the run time).
//
// In regions they stay atomic, marked, until threads have become lanes of vectors: one instruction
// is easier to write for each lane, and nothing takes threads that meet in it for independent.
#pragma once

#include "llvm/IR/Function.h"

namespace gridspan::transforms {

/// Marks atomics whose address is shared memory. Whatever loses the mark stays atomic.
void mark_shared_atomics(llvm::Function& function);

/// `atomic` is marked.
bool is_shared_atomic(const llvm::Instruction& atomic);

/// Writes out what is marked.
void make_shared_atomics_plain(llvm::Function& function);

}  // namespace gridspan::transforms
