// Follows what is read to the ends of its loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/spinning.h"

#include "llvm/ADT/SetVector.h"

namespace gridspan::analysis {

using namespace llvm;

bool may_spin(const LoadInst& load, const LoopInfo& loops) {
  const Loop* loop = loops.getLoopFor(load.getParent());
  if (!loop) return false;
  SetVector<const Instruction*> made_of_it;
  made_of_it.insert(&load);
  for (unsigned i = 0; i < made_of_it.size(); ++i) {
    if (made_of_it[i]->isTerminator() && loop->isLoopExiting(made_of_it[i]->getParent()))
      return true;
    for (const User* user : made_of_it[i]->users())
      if (auto* next = dyn_cast<Instruction>(user); next && loop->contains(next))
        made_of_it.insert(next);
  }
  return false;
}

}  // namespace gridspan::analysis
