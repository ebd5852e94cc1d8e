// Call-graph closure over sync points.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/inline_sync.h"

#include "transforms/kernels.h"
#include "transforms/sync_points.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace gridspan::transforms {

using namespace llvm;

static bool has_own_sync(Function& function) {
  return any_of(instructions(function),
                [](Instruction& i) { return as_sync_point(i).has_value(); });
}

SetVector<Function*> functions_with_sync(Module& module) {
  SetVector<Function*> found;
  for (Function& function : module)
    if (has_own_sync(function)) found.insert(&function);
  for (unsigned i = 0; i < found.size(); ++i)
    for (User* user : found[i]->users())
      if (auto* call = dyn_cast<CallBase>(user); call && call->getCalledFunction() == found[i])
        found.insert(call->getFunction());
  return found;
}

static bool calls_itself(Function& function) {
  for (User* user : function.users())
    if (auto* call = dyn_cast<CallBase>(user))
      if (reachable_functions(function).contains(call->getFunction())) return true;
  return false;
}

void force_inlining_of_sync(Module& module) {
  for (Function* function : functions_with_sync(module)) {
    if (calls_itself(*function)) continue;
    function->removeFnAttr(Attribute::NoInline);
    function->removeFnAttr(Attribute::OptimizeNone);
    function->addFnAttr(Attribute::AlwaysInline);
    for (User* user : function->users())
      if (auto* call = dyn_cast<CallBase>(user)) call->removeFnAttr(Attribute::NoInline);
  }
}

}  // namespace gridspan::transforms
