// Loops in which a thread waits for what other threads do to memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     while (atomicCAS(lock, 0, 1) != 0);            for (k = begin; k < end; ++k)
//                                                      if (atomicCAS(&depth[to[k]], -1, level) ==
//                                                      -1)
//                                                        next[atomicAdd(count, 1)] = to[k];
//
// The loop on the left goes round until another thread gives back the lock. The one on the right
// asks what others have done, too, but ends whatever the answer.
#pragma once

#include "llvm/IR/Function.h"

namespace gridspan::transforms {

/// An atomic operation or volatile load of `function` that a loop may wait for; null: there is
/// none. It *looks* (such a load, atomic load, exchange, compare-exchange with a fixed expected
/// value, read-modify-write that changes nothing), its result takes part in a branch inside the
/// loop, and the loop does not end without it. A compare-exchange loop that retries with the value
/// it just read makes progress by itself and is fine.
llvm::Instruction* find_waiting_loop(llvm::Function& function);

}  // namespace gridspan::transforms
