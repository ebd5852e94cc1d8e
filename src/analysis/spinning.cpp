// Follows what is read to the ends of its loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/spinning.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"

namespace gridspan::analysis {

using namespace llvm;

/// By another way than a trap.
static bool may_end(const Instruction& terminator, const Loop& loop) {
  return any_of(successors(terminator.getParent()), [&](const BasicBlock* next) {
    return !loop.contains(next) && !isa<UnreachableInst>(next->getTerminator());
  });
}

bool may_spin(const LoadInst& load, const LoopInfo& loops) {
  const Loop* loop = loops.getLoopFor(load.getParent());
  if (!loop) return false;
  SetVector<const Instruction*> made_of_it;
  made_of_it.insert(&load);
  for (unsigned i = 0; i < made_of_it.size(); ++i) {
    if (made_of_it[i]->isTerminator() && may_end(*made_of_it[i], *loop)) return true;
    for (const User* user : made_of_it[i]->users())
      if (auto* next = dyn_cast<Instruction>(user); next && loop->contains(next))
        made_of_it.insert(next);
  }
  return false;
}

}  // namespace gridspan::analysis
