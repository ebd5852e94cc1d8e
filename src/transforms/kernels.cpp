// Kernel annotations and reachability.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/kernels.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"

namespace gridspan::transforms {

using namespace llvm;

std::vector<KernelDeclaration> find_kernels(Module& module) {
  DenseMap<Function*, KernelDeclaration> found;
  if (NamedMDNode* annotations = module.getNamedMetadata("nvvm.annotations")) {
    for (MDNode* node : annotations->operands()) {
      auto* function = mdconst::dyn_extract_or_null<Function>(node->getOperand(0));
      if (!function) continue;
      for (unsigned i = 1; i + 1 < node->getNumOperands(); i += 2) {
        auto* key = dyn_cast<MDString>(node->getOperand(i));
        auto* value = mdconst::dyn_extract<ConstantInt>(node->getOperand(i + 1));
        if (!key || !value) continue;
        KernelDeclaration& kernel = found[function];
        if (key->getString() == "kernel") kernel.function = function;
        if (key->getString() == "maxntidx") kernel.max_threads = value->getZExtValue();
        if (key->getString() == "minctasm") kernel.min_blocks = value->getZExtValue();
      }
    }
  }
  std::vector<KernelDeclaration> kernels;
  for (Function& function : module) {
    auto entry = found.find(&function);
    if (entry != found.end() && entry->second.function && !function.isDeclaration())
      kernels.push_back(entry->second);
  }
  return kernels;
}

static void visit(Function& function, SetVector<Function*>& seen) {
  if (function.isDeclaration() || !seen.insert(&function)) return;
  for (Instruction& instruction : instructions(function)) {
    auto* call = dyn_cast<CallBase>(&instruction);
    if (!call || call->isInlineAsm()) continue;
    if (auto* callee = dyn_cast<Function>(call->getCalledOperand()->stripPointerCasts())) {
      visit(*callee, seen);
      continue;
    }
    for (Function& target : *function.getParent())
      if (target.hasAddressTaken()) visit(target, seen);
  }
}

SetVector<Function*> reachable_functions(Function& root) {
  SetVector<Function*> seen;
  visit(root, seen);
  return seen;
}

}  // namespace gridspan::transforms
