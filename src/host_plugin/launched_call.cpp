// Looks through the branch that a pushed configuration leads to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_plugin/launched_call.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

namespace gridspan::host_plugin {

using namespace llvm;

namespace {

/// Of a stub, or of what some pointer points to.
bool is_launch(const CallBase& call) {
  const Function* callee = call.getCalledFunction();
  return callee ? callee->getName().contains("__device_stub__") : !call.isInlineAsm();
}

}  // namespace

const CallBase* launched_after(const CallBase& push) {
  auto* invoke = dyn_cast<InvokeInst>(&push);  // where something is to be destroyed
  const BasicBlock* after = invoke ? invoke->getNormalDest() : push.getParent();
  auto* branch = dyn_cast<BranchInst>(after->getTerminator());
  if (!branch || !branch->isConditional()) return nullptr;
  // Its arguments may have branches of their own.
  const BasicBlock* end = branch->getSuccessor(0);
  SmallVector<const BasicBlock*> open{branch->getSuccessor(1)};
  SmallPtrSet<const BasicBlock*, 8> seen{end, open.front()};
  const CallBase* last = nullptr;
  while (!open.empty() && seen.size() < 64) {
    const BasicBlock* block = open.pop_back_val();
    for (const Instruction& instruction : *block)
      if (auto* call = dyn_cast<CallBase>(&instruction); call && is_launch(*call)) last = call;
    for (const BasicBlock* next : successors(block))
      if (seen.insert(next).second) open.push_back(next);
  }
  return last;
}

}  // namespace gridspan::host_plugin
