// Sizes of functions with their callees, from the leaves up.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/inlining.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace gridspan::analysis {

using namespace llvm;

namespace {

class Sizes {
 public:
  explicit Sizes(unsigned limit) : limit_(limit) {}

  /// Of `function` with what is inlined into it; settles its calls at the first visit.
  unsigned of(Function& function) {
    auto [at, is_new] = sizes_.try_emplace(&function, 1u);  // counts as this while in progress
    if (!is_new) return at->second;
    unsigned size = function.getInstructionCount();
    for (Instruction& instruction : instructions(function)) {
      auto* call = dyn_cast<CallBase>(&instruction);
      Function* callee = call ? call->getCalledFunction() : nullptr;
      if (!callee || callee->isDeclaration()) continue;
      const unsigned more = of(*callee);
      if (size + more > limit_)
        call->setIsNoInline();
      else
        size += more;
    }
    return sizes_[&function] = size;
  }

 private:
  unsigned limit_;
  DenseMap<Function*, unsigned> sizes_;
};

/// The functions that a function calls by name.
SmallVector<Function*, 8> callees(Function& function) {
  SmallVector<Function*, 8> found;
  for (Instruction& instruction : instructions(function))
    if (auto* call = dyn_cast<CallBase>(&instruction))
      if (Function* callee = call->getCalledFunction(); callee && !callee->isDeclaration())
        found.push_back(callee);
  return found;
}

bool is_recursive(Function& function) {
  SmallPtrSet<Function*, 16> seen;
  SmallVector<Function*, 16> to_do = {&function};
  while (!to_do.empty())
    for (Function* callee : callees(*to_do.pop_back_val())) {
      if (callee == &function) return true;
      if (seen.insert(callee).second) to_do.push_back(callee);
    }
  return false;
}

}  // namespace

bool calls_what_can_be_inlined(Module& module) {
  DenseMap<Function*, bool> recursive;
  for (Function& function : module)
    for (Instruction& instruction : instructions(function)) {
      auto* call = dyn_cast<CallBase>(&instruction);
      Function* callee = call ? call->getCalledFunction() : nullptr;
      if (!callee || callee->isDeclaration() || call->isNoInline()) continue;
      auto [at, is_new] = recursive.try_emplace(callee, false);
      if (is_new) at->second = is_recursive(*callee);
      if (!at->second) return true;
    }
  return false;
}

void mark_for_inlining(Module& module, unsigned limit) {
  Sizes sizes(limit);
  for (Function& function : module) {
    if (function.isDeclaration()) continue;
    function.removeFnAttr(Attribute::NoInline);
    function.removeFnAttr(Attribute::OptimizeNone);
    function.addFnAttr(Attribute::AlwaysInline);
    sizes.of(function);
  }
}

}  // namespace gridspan::analysis
