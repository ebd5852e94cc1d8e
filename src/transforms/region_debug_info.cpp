// Copies the kernel's DISubprogram and keeps everything else shared.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/region_debug_info.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"

namespace gridspan::transforms {

using namespace llvm;

RegionDebugInfo::RegionDebugInfo(const Function& kernel) : original_(kernel.getSubprogram()) {
  if (!original_) return;
  DebugInfoFinder finder;
  finder.processSubprogram(original_);
  for (const Instruction& instruction : instructions(kernel))
    finder.processInstruction(*kernel.getParent(), instruction);
  append_range(shared_, finder.compile_units());
  append_range(shared_, finder.types());
  for (DISubprogram* other : finder.subprograms())
    if (other != original_) shared_.push_back(other);
}

void RegionDebugInfo::adopt(Function& region, ValueToValueMapTy& map) const {
  if (!original_) return;
  DISubprogram* own = MDNode::replaceWithDistinct(original_->clone());
  own->replaceLinkageName(MDString::get(region.getContext(), region.getName()));
  // Its list of variables is the kernel's: once the function is inlined, LLVM looks for their
  // scopes.
  own->replaceRetainedNodes(MDTuple::get(region.getContext(), {}));
  region.setSubprogram(own);
  auto& metadata = map.MD();
  for (MDNode* node : shared_) metadata[node].reset(node);
  metadata[original_].reset(own);
}

}  // namespace gridspan::transforms
