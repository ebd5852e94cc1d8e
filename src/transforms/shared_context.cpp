// Moves the first of equal calls to the entry and drops the others.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/shared_context.h"

#include "transforms/context.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace gridspan::transforms {

using namespace llvm;

static void drop_phis_of_one_value(Function& kernel) {
  for (bool changed = true; changed;) {
    changed = false;
    for (Instruction& instruction : make_early_inc_range(instructions(kernel))) {
      auto* phi = dyn_cast<PHINode>(&instruction);
      auto* call = phi ? dyn_cast_or_null<IntrinsicInst>(phi->hasConstantValue()) : nullptr;
      if (!call || !is_repeatable_context_call(*call)) continue;
      phi->replaceAllUsesWith(call);
      phi->eraseFromParent();
      changed = true;
    }
  }
}

void ask_context_once(Function& kernel) {
  MapVector<Function*, SmallVector<IntrinsicInst*>> questions;
  for (Instruction& instruction : instructions(kernel))
    if (auto* call = dyn_cast<IntrinsicInst>(&instruction);
        call && call->arg_empty() && is_repeatable_context_call(*call))
      questions[call->getCalledFunction()].push_back(call);
  for (auto& [question, calls] : questions) {
    calls.front()->moveBefore(kernel.getEntryBlock(),
                              kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    for (IntrinsicInst* other : drop_begin(calls)) {
      other->replaceAllUsesWith(calls.front());
      other->eraseFromParent();
    }
  }
  drop_phis_of_one_value(kernel);
}

}  // namespace gridspan::transforms
