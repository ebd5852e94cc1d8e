// Looks through the branch that a pushed configuration leads to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_plugin/launched_call.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

namespace gridspan::host_plugin {

using namespace llvm;

const CallBase* launched_after(const CallBase& push) {
  auto* invoke = dyn_cast<InvokeInst>(&push);  // where something is to be destroyed
  const BasicBlock* after = invoke ? invoke->getNormalDest() : push.getParent();
  auto* branch = dyn_cast<BranchInst>(after->getTerminator());
  if (!branch || !branch->isConditional()) return nullptr;
  // Its arguments may have branches of their own.
  const BasicBlock* end = branch->getSuccessor(0);
  SmallVector<const BasicBlock*> open{branch->getSuccessor(1)};
  SmallPtrSet<const BasicBlock*, 8> seen{end, open.front()};
  // A call through a pointer may be part of an argument; the launch is the last of all.
  const CallBase *stub = nullptr, *last = nullptr, *other = nullptr;
  while (!open.empty() && seen.size() < 64) {
    const BasicBlock* block = open.pop_back_val();
    const bool is_end = is_contained(successors(block), end);
    for (const Instruction& instruction : *block) {
      auto* call = dyn_cast<CallBase>(&instruction);
      if (!call || call->isInlineAsm()) continue;
      const Function* callee = call->getCalledFunction();
      if (!callee)
        (is_end ? last : other) = call;
      else if (callee->getName().contains("__device_stub__"))
        stub = call;
    }
    for (const BasicBlock* next : successors(block))
      if (seen.insert(next).second) open.push_back(next);
  }
  return stub ? stub : last ? last : other;
}

}  // namespace gridspan::host_plugin
