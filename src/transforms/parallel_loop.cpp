// Access groups and loop metadata for thread loops.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/parallel_loop.h"

#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"

namespace gridspan::transforms {

using namespace llvm;

static bool any_private_escapes(Function& function) {
  return any_of(instructions(function), [](Instruction& instruction) {
    return isa<AllocaInst>(instruction) && PointerMayBeCaptured(&instruction, true, true);
  });
}

static bool touches_private(const Value* pointer) {
  SmallVector<const Value*> objects;
  getUnderlyingObjects(pointer, objects, nullptr, 0);
  return any_of(objects, [](const Value* object) { return isa<AllocaInst>(object); });
}

void mark_parallel(Function& region, BasicBlock& latch) {
  if (any_private_escapes(region)) return;
  LLVMContext& context = region.getContext();
  MDNode* group = MDNode::getDistinct(context, {});
  for (Instruction& instruction : instructions(region)) {
    const Value* pointer = getLoadStorePointerOperand(&instruction);
    if (!pointer || instruction.isAtomic() || instruction.isVolatile()) continue;
    if (instruction.getParent() == &region.getEntryBlock()) continue;
    if (!touches_private(pointer)) instruction.setMetadata(LLVMContext::MD_access_group, group);
  }
  MDNode* parallel =
      MDNode::get(context, {MDString::get(context, "llvm.loop.parallel_accesses"), group});
  MDNode* mark = MDNode::get(context, {MDString::get(context, thread_loop_mark)});
  MDNode* loop = MDNode::getDistinct(context, {nullptr, parallel, mark});
  loop->replaceOperandWith(0, loop);
  latch.getTerminator()->setMetadata(LLVMContext::MD_loop, loop);
}

}  // namespace gridspan::transforms
