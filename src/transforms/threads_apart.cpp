// Looks through a kernel and what it calls.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/threads_apart.h"

#include "analysis/whole_access.h"
#include "transforms/context.h"
#include "transforms/kernels.h"
#include "transforms/math_calls.h"
#include "transforms/reciprocal_roots.h"
#include "transforms/sync_points.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

bool is_quiet_call(CallInst& call) {
  const Function* callee = call.getCalledFunction();
  if (!callee || as_sync_point(call)) return false;
  if (is_marker(&call, Marker::shared) || is_marker(&call, Marker::dynamic_shared)) return false;
  if (!callee->isDeclaration()) return true;
  return is_math_call(call) || is_reciprocal_root(call) || call.doesNotAccessMemory() ||
         isa<DbgInfoIntrinsic, MemIntrinsic, LifetimeIntrinsic, AssumeInst>(call);
}

bool is_apart(Instruction& instruction) {
  if (auto* call = dyn_cast<CallInst>(&instruction))
    return !call->isConvergent() && is_quiet_call(*call);
  return !instruction.isAtomic() && !instruction.isVolatile() && !isa<CallBase>(instruction);
}

/// What others write may be seen here, so that a loop ends.
bool may_watch(const Instruction& instruction) {
  if (isa<AtomicRMWInst>(instruction)) return !instruction.use_empty();
  return instruction.isAtomic() || instruction.isVolatile() ||
         instruction.hasMetadata(analysis::whole_access_mark);
}

}  // namespace

bool blocks_may_wait(Function& kernel) {
  for (Function* const function : reachable_functions(kernel)) {
    if (none_of(instructions(*function), may_watch)) continue;
    if (function != &kernel) return true;  // who knows where it is called
    const DominatorTree tree(*function);
    const LoopInfo loops(tree);
    for (const Instruction& instruction : instructions(*function))
      if (may_watch(instruction) && loops.getLoopFor(instruction.getParent())) return true;
  }
  return false;
}

bool threads_are_apart(Function& kernel) {
  return all_of(reachable_functions(kernel),
                [](Function* function) { return all_of(instructions(*function), is_apart); });
}

}  // namespace gridspan::transforms
