// Loops over a tile stay loops.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/rolled_loops.h"

#include "transforms/context.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

/// Shorter ones (windows of a few neighbours) are better unrolled.
constexpr unsigned least_rounds = 8;
constexpr StringRef disable = "llvm.loop.unroll.disable";
constexpr StringRef ours = "gridspan.rolled";

bool only_computes(const Loop& loop, bool& reads_shared) {
  for (const BasicBlock* block : loop.blocks())
    for (const Instruction& instruction : *block) {
      if (!instruction.mayReadOrWriteMemory()) continue;
      auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction);
      if (intrinsic && intrinsic->isAssumeLikeIntrinsic()) continue;
      auto* load = dyn_cast<LoadInst>(&instruction);
      if (!load || !load->isSimple()) return false;
      const Value* object = getUnderlyingObject(load->getPointerOperand(), 0);
      if (isa<AllocaInst>(object)) return false;
      reads_shared |=
          is_marker(object, Marker::shared) || is_marker(object, Marker::dynamic_shared);
    }
  return true;
}

}  // namespace

void keep_rolled(Loop& loop, ScalarEvolution& evolution) {
  bool reads_shared = false;
  if (!loop.isInnermost() || evolution.getSmallConstantTripCount(&loop) < least_rounds ||
      hasUnrollTransformation(&loop) == TM_SuppressedByUser || !only_computes(loop, reads_shared) ||
      !reads_shared)
    return;
  LLVMContext& context = loop.getHeader()->getContext();
  auto node = [&](StringRef text) { return MDNode::get(context, MDString::get(context, text)); };
  loop.setLoopID(
      makePostTransformationMetadata(context, loop.getLoopID(), {}, {node(disable), node(ours)}));
}

bool allow_unrolling(Function& function) {
  bool found = false;
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  for (Loop* loop : loops.getLoopsInPreorder()) {
    if (!findOptionMDForLoop(loop, ours)) continue;
    loop->setLoopID(makePostTransformationMetadata(function.getContext(), loop->getLoopID(),
                                                   {disable, ours}, {}));
    found = true;
  }
  return found;
}

}  // namespace gridspan::transforms
