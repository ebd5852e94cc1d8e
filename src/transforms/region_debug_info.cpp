// Copies the kernel's DISubprogram and keeps everything else shared.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/region_debug_info.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"

namespace gridspan::transforms {

using namespace llvm;

void adopt_debug_info(Function& kernel, Function& region, ValueToValueMapTy& map) {
  DISubprogram* original = kernel.getSubprogram();
  if (!original) return;
  DISubprogram* own = MDNode::replaceWithDistinct(original->clone());
  own->replaceLinkageName(MDString::get(region.getContext(), region.getName()));
  // Its list of variables is the kernel's: once the function is inlined, LLVM looks for their
  // scopes.
  own->replaceRetainedNodes(MDTuple::get(region.getContext(), {}));
  region.setSubprogram(own);
  DebugInfoFinder finder;
  finder.processSubprogram(original);
  for (Instruction& instruction : instructions(kernel))
    finder.processInstruction(*kernel.getParent(), instruction);
  auto& metadata = map.MD();
  auto keep = [&](MDNode* node) { metadata[node].reset(node); };
  for (DICompileUnit* unit : finder.compile_units()) keep(unit);
  for (DIType* type : finder.types()) keep(type);
  for (DISubprogram* other : finder.subprograms())
    if (other != original) keep(other);
  metadata[original].reset(own);
}

}  // namespace gridspan::transforms
