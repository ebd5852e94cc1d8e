// Ballots that only tell which lanes agree, as one operation of the warp.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     for (bit = 0; bit < 8; ++bit) {                         unrolled: who has the same digit?
//       yes = __ballot_sync(~0u, digit >> bit & 1);
//       same &= digit >> bit & 1 ? yes : ~yes;
//     }
//
// So do radix sorts of CUB, for each key of a thread. Each ballot is a sync point, and each sync
// point a region of the kernel: code that all threads run before one goes on. Here nobody looks at
// a ballot by itself.
#pragma once

#include "llvm/IR/Function.h"

namespace gridspan::transforms {

/// Ballots of whole warps in one block, with no other accesses of memory between them, become one
/// abi::SyncKind::vote_agreement. For a kernel that is cut at each sync point.
void merge_votes(llvm::Function& kernel);

}  // namespace gridspan::transforms
