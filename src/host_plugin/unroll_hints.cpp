// Loops' metadata without what names unrolling.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_plugin/unroll_hints.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

namespace gridspan::host_plugin {

using namespace llvm;

namespace {

bool is_hint(const Metadata* property) {
  const auto* node = dyn_cast_or_null<MDNode>(property);
  const auto* name =
      node && node->getNumOperands() > 0 ? dyn_cast<MDString>(node->getOperand(0)) : nullptr;
  return name && name->getString().starts_with("llvm.loop.unroll");
}

/// A loop's node names itself first.
void drop_from(Instruction& end) {
  MDNode* loop = end.getMetadata(LLVMContext::MD_loop);
  if (!loop || none_of(loop->operands(), [](const MDOperand& one) { return is_hint(one.get()); }))
    return;
  SmallVector<Metadata*> rest = {nullptr};
  for (const MDOperand& property : drop_begin(loop->operands()))
    if (!is_hint(property.get())) rest.push_back(property.get());
  MDNode* const without = MDNode::getDistinct(end.getContext(), rest);
  without->replaceOperandWith(0, without);
  end.setMetadata(LLVMContext::MD_loop, without);
}

}  // namespace

PreservedAnalyses DropUnrollHints::run(Module& module, ModuleAnalysisManager&) {
  for (Function& function : module)
    for (BasicBlock& block : function)
      if (Instruction* end = block.getTerminator()) drop_from(*end);
  return PreservedAnalyses::all();
}

}  // namespace gridspan::host_plugin
