// What threads do between a branch and the end of a kernel that they come to without barriers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"

namespace gridspan::transforms {

using BlockSet = llvm::SmallPtrSet<llvm::BasicBlock*, 32>;

/// `blocks`, and all from which there is a way to one of them.
BlockSet reaching(const BlockSet& blocks);

/// All that may run from `block` on, but for the kernel's `exit`.
llvm::SetVector<llvm::BasicBlock*> work_behind(llvm::BasicBlock& block, llvm::BasicBlock& exit);

/// It is not too much, and nothing that may be there only once.
bool can_copy(const llvm::SetVector<llvm::BasicBlock*>& work);

/// A copy for threads that come from `from`, with `gone` in the exit's place. Returns where it
/// begins.
llvm::BasicBlock* copy_work(const llvm::SetVector<llvm::BasicBlock*>& work, llvm::BasicBlock& from,
                            llvm::BasicBlock& exit, llvm::BasicBlock& gone);

}  // namespace gridspan::transforms
