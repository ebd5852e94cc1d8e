// Gives each way into code that hangs between barriers a copy of its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM shortens ways: the end of one branch's body may also be where another branch jumps to
// (threaded jumps, common code that was sunk).
//
//     if (n > 0) {                              if (n > 0) {
//       loop with barriers                        loop with barriers
//       if (t < 8) goto store;                    if (t < 8) out[t] = s[t];
//     } else {                        ───►      } else {
//      store: out[t] = s[t];                      out[t] = s[t];
//     }                                         }
//
// A segment begins and ends where all threads come through, so it cannot share a part of itself
// with another one. What two share is copied.
#pragma once

#include "transforms/sync_cuts.h"

#include "llvm/Analysis/PostDominators.h"

namespace gridspan::transforms {

/// The copies leave `post_dominators` outdated: whether there are any. Code with sync points and
/// much of it is not copied.
bool separate_ways(llvm::Function& kernel, llvm::ArrayRef<Cut> cuts,
                   const llvm::PostDominatorTree& post_dominators);

}  // namespace gridspan::transforms
