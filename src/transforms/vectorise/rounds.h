// Rounds of a loop that all lanes do together, apart from the rest.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     for (i = threadIdx.x; i < n; i += blockDim.x) body(i)
//
// Lanes leave such a loop one by one, though only in its last round; and what its body assumes
// (assumptions.h) could not be checked, since earlier rounds have stored something. So the loop is
// written twice:
//
//     do                                   all lanes: no masks
//       if (!checks hold) break            before this round changes anything
//       body
//     while (all lanes go on)
//     if (any lane goes on) original loop  under masks
//
// In a thread's own code the first loop does nothing: its checks never hold.
#pragma once

#include "transforms/vectorise/shapes.h"

namespace gridspan::transforms {

/// Splits inner loops where that is worthwhile, given the shapes of the fast version. `body`,
/// `loops` and `dominators` are up to date afterwards. Returns whether there is any.
bool split_rounds(ThreadBody& body, llvm::LoopInfo& loops, llvm::DominatorTree& dominators,
                  const Shapes& fast);

/// The mark at the head of the first loop: code that assumes nothing does not enter it.
bool is_rounds_test(const llvm::Value* value);
/// The mark at its end: all lanes find the operand. May say no.
bool is_all_lanes_test(const llvm::Value* value);

/// The header of the innermost loop around `block` that consists of such rounds; null: none.
const llvm::BasicBlock* rounds_around(const llvm::BasicBlock& block, const llvm::LoopInfo& loops);

/// What is left of the marks, in single threads' code.
void drop_rounds(llvm::Function& region);

}  // namespace gridspan::transforms
