// Looks through a kernel and what it calls.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/threads_apart.h"

#include "transforms/context.h"
#include "transforms/kernels.h"
#include "transforms/math_calls.h"
#include "transforms/reciprocal_roots.h"
#include "transforms/sync_points.h"

#include "llvm/ADT/STLExtras.h"
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

}  // namespace

bool threads_are_apart(Function& kernel) {
  return all_of(reachable_functions(kernel),
                [](Function* function) { return all_of(instructions(*function), is_apart); });
}

}  // namespace gridspan::transforms
