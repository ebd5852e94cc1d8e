// Moves the first of equal calls to the entry and drops the others.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/shared_context.h"

#include "transforms/context.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace gridspan::transforms {

using namespace llvm;

static void drop_phis_of_one_value(Function& kernel) {
  for (bool changed = true; changed;) {
    changed = false;
    for (Instruction& instruction : make_early_inc_range(instructions(kernel))) {
      auto* phi = dyn_cast<PHINode>(&instruction);
      auto* call = phi ? dyn_cast_or_null<CallInst>(phi->hasConstantValue()) : nullptr;
      if (!call || !is_repeatable_context_call(*call)) continue;
      phi->replaceAllUsesWith(call);
      phi->eraseFromParent();
      changed = true;
    }
  }
}

/// Special registers, and where shared memory lies.
static bool is_question(const CallInst& call) {
  return is_repeatable_context_call(call) &&
         (isa<IntrinsicInst>(call) || is_marker(&call, Marker::shared) ||
          is_marker(&call, Marker::dynamic_shared)) &&
         all_of(call.args(), [](const Use& argument) { return isa<Constant>(argument); });
}

void ask_context_once(Function& kernel) {
  SmallVector<SmallVector<CallInst*>> questions;  // each with its equals
  for (Instruction& instruction : instructions(kernel)) {
    auto* call = dyn_cast<CallInst>(&instruction);
    if (!call || !is_question(*call)) continue;
    auto* equals =
        find_if(questions, [&](auto& known) { return known.front()->isIdenticalTo(call); });
    if (equals == questions.end()) equals = &questions.emplace_back();
    equals->push_back(call);
  }
  for (auto& calls : questions) {
    calls.front()->moveBefore(kernel.getEntryBlock(),
                              kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    for (CallInst* other : drop_begin(calls)) {
      other->replaceAllUsesWith(calls.front());
      other->eraseFromParent();
    }
  }
  drop_phis_of_one_value(kernel);
}

}  // namespace gridspan::transforms
