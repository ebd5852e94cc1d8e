// The kernel's form, its block-wide segments, and those of warps inside them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/block_function/segments.h"

#include "transforms/block_function/presence.h"
#include "transforms/block_function/rounds_of_block.h"
#include "transforms/block_function/segment_finder.h"
#include "transforms/block_function/separate_ways.h"
#include "transforms/block_function/warp_exchange.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

/// One return, reached also by what never comes back (a trap): then ways meet again where they do
/// for the threads that go on.
void make_one_exit(Function& kernel) {
  LLVMContext& context = kernel.getContext();
  BasicBlock* exit = BasicBlock::Create(context, "exit", &kernel);
  for (BasicBlock& block : kernel) {
    Instruction* end = block.getTerminator();
    if (!end || !isa<ReturnInst, UnreachableInst>(end)) continue;
    end->eraseFromParent();
    BranchInst::Create(exit, &block);
  }
  ReturnInst::Create(context, exit);
}

void analyse(Function& kernel, Segments& found) {
  found.dominators.recalculate(kernel);
  found.post_dominators.recalculate(kernel);
  found.loops.releaseMemory();
  found.loops.analyze(found.dominators);
}

void simplify_loops(Segments& found) {
  for (Loop* loop : found.loops)
    simplifyLoop(loop, &found.dominators, &found.loops, nullptr, nullptr, nullptr, false);
}

std::optional<Reason> bring_into_form(Function& kernel, Segments& found) {
  make_one_exit(kernel);
  BasicBlock* exit = &kernel.back();
  analyse(kernel, found);
  ReversePostOrderTraversal<Function*> traversal(&kernel);
  if (containsIrreducibleCFG<const BasicBlock*>(traversal, found.loops))
    return Reason{source_line(kernel), "jumps into a loop"};
  for (BasicBlock& block : kernel) {
    const auto* node = found.post_dominators.getNode(&block);
    if (&block != exit && (!node || !node->getIDom() || !node->getIDom()->getBlock()))
      return Reason{source_line(*block.getTerminator()), "a loop without end"};
  }
  found.returns = take_out_early_returns(kernel, found.cuts);
  if (found.returns.obstacle) return found.returns.obstacle;
  if (found.returns.there) analyse(kernel, found);
  simplify_loops(found);
  found.post_dominators.recalculate(kernel);
  SmallPtrSet<BasicBlock*, 16> cut_blocks;
  for (const Cut& cut : found.cuts) cut_blocks.insert(cut.before);
  SmallVector<BasicBlock*> branches;
  for (BasicBlock& block : kernel)
    if (block.getTerminator()->getNumSuccessors() > 1 &&
        any_of(blocks_between(block, found.post_dominators),
               [&](BasicBlock* one) { return cut_blocks.contains(one); }))
      branches.push_back(&block);
  for (BasicBlock* block : branches)
    for (BasicBlock* next : SmallVector<BasicBlock*>(successors(block)))
      if (next->getSinglePredecessor() != block || isa<PHINode>(next->front()))
        SplitEdge(block, next, &found.dominators, &found.loops);
  analyse(kernel, found);
  if (separate_ways(kernel, found.cuts, found.post_dominators)) {
    analyse(kernel, found);
    simplify_loops(found);
    analyse(kernel, found);
  }
  return std::nullopt;
}

std::vector<const Cut*> cuts_of(const Segments& found, bool (*wanted)(abi::SyncKind)) {
  std::vector<const Cut*> cuts;
  for (const Cut& cut : found.cuts)
    if (wanted(cut.kind)) cuts.push_back(&cut);
  return cuts;
}

std::optional<Reason> find_in_warps(Function& kernel, Segments& found) {
  auto cuts = cuts_of(found, [](abi::SyncKind kind) { return !abi::is_block_wide(kind); });
  if (cuts.empty()) return std::nullopt;
  for (const Cut* cut : cuts)
    if (auto reason = why_no_exchange(*cut)) return reason;
  found.in_warp =
      std::make_unique<UniformValues>(kernel, found.loops, found.post_dominators, Together::warp);
  for (Segment& segment : found.all) {
    std::vector<const Cut*> inside;
    for (const Cut* cut : cuts)
      if (segment.blocks.contains(cut->before)) inside.push_back(cut);
    if (inside.empty()) continue;
    SegmentFinder finder(found, segment.blocks, inside, *found.in_warp);
    if (auto obstacle = finder.find(segment.warp)) return obstacle;
  }
  return std::nullopt;
}

/// Segments for those threads only that are still there. A warp's skeleton reads the notes.
void leave_out_the_gone(Segments& found) {
  if (!found.returns.there) return;
  auto presence_in = [&](const Segment& segment) {
    return write_presence(segment.first(), found.returns, found.dominators, found.loops);
  };
  for (Segment& segment : found.all) {
    segment.presence = presence_in(segment);
    if (!segment.presence || segment.warp.empty()) continue;
    keep_notes(found.returns);
    for (Segment& part : segment.warp)
      part.presence = &part.first() == &segment.first() ? segment.presence : presence_in(part);
  }
}

}  // namespace

FoundSegments find_segments(Function& kernel, std::vector<Cut> cuts) {
  auto found = std::make_unique<Segments>();
  found->cuts = std::move(cuts);
  for (const Cut& cut : found->cuts)
    if (abi::is_block_wide(cut.kind) && cut.kind > abi::SyncKind::barrier_or)
      return Reason{cut.where, "more than a barrier of the block"};
  if (auto obstacle = bring_into_form(kernel, *found)) return *obstacle;
  const auto find = [&](const SmallPtrSet<BasicBlock*, 4>& more) {
    found->in_block = std::make_unique<UniformValues>(kernel, found->loops, found->post_dominators,
                                                      Together::block);
    SetVector<BasicBlock*> scope;
    for (BasicBlock& block : kernel) scope.insert(&block);
    found->all.clear();
    SegmentFinder finder(*found, scope, cuts_of(*found, abi::is_block_wide), *found->in_block);
    return finder.find(found->all, more);
  };
  if (auto obstacle = find({})) return *obstacle;
  if (const auto ends = end_segments_at_far_rounds(*found); !ends.empty()) {
    analyse(kernel, *found);
    if (auto obstacle = find(ends)) return *obstacle;
  }
  if (auto obstacle = find_in_warps(kernel, *found)) return *obstacle;
  leave_out_the_gone(*found);
  return found;
}

}  // namespace gridspan::transforms
