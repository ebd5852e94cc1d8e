// Looking for them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/block_function/rounds_of_block.h"

#include "transforms/far_rounds.h"

#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

bool is_far(const Loop& loop, const LoopInfo& loops) {
  return any_of(loop.blocks(), [&](const BasicBlock* block) {
    return any_of(*block, [&](const Instruction& one) {
      auto* load = dyn_cast<LoadInst>(&one);
      return load && is_far_round(*load, loops, nullptr);
    });
  });
}

bool has_warp_operations(const Segments& found, const Segment& segment) {
  return any_of(found.cuts, [&](const Cut& cut) {
    return !abi::is_block_wide(cut.kind) && segment.blocks.contains(cut.before);
  });
}

/// The first block that all threads of the segment come through behind the loop; null: none.
BasicBlock* behind(const Loop& loop, const Segment& segment, const Segments& found) {
  for (BasicBlock* block : segment.common)
    if (!loop.contains(block) && block != segment.common.front() &&
        found.post_dominators.dominates(block, loop.getHeader()))
      return block;
  return nullptr;
}

/// A value that two ways lead to is then stored once.
BasicBlock* behind_phis(BasicBlock& block, Segments& found) {
  if (!isa<PHINode>(block.front())) return &block;
  BasicBlock* rest = SplitBlock(&block, block.getFirstInsertionPt());
  for (Cut& cut : found.cuts)
    if (cut.before == &block) cut.before = rest;
  return rest;
}

}  // namespace

SmallPtrSet<BasicBlock*, 4> end_segments_at_far_rounds(Segments& found) {
  SetVector<BasicBlock*> ends;
  for (const Segment& segment : found.all) {
    if (!has_warp_operations(found, segment)) continue;
    for (const Loop* loop : found.loops) {
      const bool has_cut =
          any_of(found.cuts, [&](const Cut& cut) { return loop->contains(cut.before); });
      if (has_cut || !segment.blocks.contains(loop->getHeader()) || !is_far(*loop, found.loops))
        continue;
      if (BasicBlock* end = behind(*loop, segment, found)) ends.insert(end);
    }
  }
  SmallPtrSet<BasicBlock*, 4> begins;
  for (BasicBlock* end : ends) begins.insert(behind_phis(*end, found));
  return begins;
}

}  // namespace gridspan::transforms
