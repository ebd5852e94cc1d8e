// Loops of threads that come to another page of memory with each round.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

namespace gridspan::transforms {

/// In `for (i = ...; i < n; i += gridDim.x * blockDim.x)` each round of a vector of threads reads a
/// page of its own, which the CPU's prefetchers do not follow. The number the subscript of `load`
/// grows by in the innermost loop around it, if it is unknown or large; null: it is small, or there
/// is none. `threads` is no such loop, but the one over threads; null: there is none yet.
llvm::Value* far_step(const llvm::LoadInst& load, const llvm::LoopInfo& loops,
                      const llvm::Loop* threads);

/// What such a subscript is compared with where the loop ends: it stays below, or at most comes to
/// it. Null: there is no such number.
llvm::Value* far_end(const llvm::LoadInst& load, const llvm::LoopInfo& loops,
                     const llvm::Loop* threads);

/// The same question, also of `a[round * step]`, which LLVM makes of subscripts that cannot wrap;
/// other loops, such as one down a column of a matrix, have that, too.
bool is_far_round(const llvm::LoadInst& load, const llvm::LoopInfo& loops,
                  const llvm::Loop* threads);

}  // namespace gridspan::transforms
