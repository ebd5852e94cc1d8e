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

#include "transforms/diagnostics.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"

#include <optional>

namespace gridspan::transforms {

/// Why a kernel needs fibers, or would: one line, "file:line: reason".
struct FiberReason {
  SourceLine where;
  std::string text;
};

/// Where a loop of `function` may wait for another thread without letting others run, and for what;
/// nothing: nowhere. An atomic operation or volatile load *looks* (such a load, atomic load,
/// exchange, compare-exchange with a fixed expected value, read-modify-write that changes nothing),
/// its result takes part in a branch inside the loop, and the loop does not end without it. A
/// compare-exchange loop that retries with the value it just read makes progress by itself and is
/// fine.
std::optional<FiberReason> find_waiting_loop(llvm::Function& function);

/// In such loops of a kernel, threads let others run before each round but the first
/// (abi::SyncKind::waiting_round): then threads that run one after the other get on as well.
void let_others_run(llvm::Function& kernel);

/// What loops look at that do so and write nothing there meanwhile: then it is no matter in which
/// order lanes look.
llvm::SmallPtrSet<const llvm::Instruction*, 8> watched_in_rounds(llvm::Function& kernel);

}  // namespace gridspan::transforms
