// Sizes of functions with their callees, from the leaves up.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/inlining.h"

#include "llvm/ADT/DenseMap.h"
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

}  // namespace

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
