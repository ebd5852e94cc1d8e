// The skeleton's branches, and what hangs between its points.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/block_function/segment_finder.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

namespace gridspan::transforms {

using namespace llvm;

SetVector<BasicBlock*> blocks_between(BasicBlock& branch,
                                      const PostDominatorTree& post_dominators) {
  SetVector<BasicBlock*> blocks;
  const auto* node = post_dominators.getNode(&branch)->getIDom();
  const BasicBlock* meeting = node ? node->getBlock() : nullptr;
  auto reach = [&](BasicBlock* from) {
    for (BasicBlock* next : successors(from))
      if (next != meeting) blocks.insert(next);
  };
  reach(&branch);
  for (unsigned i = 0; i < blocks.size(); ++i) reach(blocks[i]);
  return blocks;
}

void SegmentFinder::find_skeleton() {
  for (BasicBlock* block : scope_) {
    if (block->getTerminator()->getNumSuccessors() < 2) continue;
    auto between = blocks_between(*block, kernel_.post_dominators);
    if (any_of(between, [&](BasicBlock* one) { return cut_after_.contains(one); }))
      skeleton_.insert(block);
  }
}

void SegmentFinder::find_common() {
  for (BasicBlock* block : scope_) {
    if (block->getTerminator()->getNumSuccessors() < 2 || skeleton_.contains(block)) continue;
    for (BasicBlock* one : blocks_between(*block, kernel_.post_dominators)) hanging_.insert(one);
  }
}

/// The common block, or the one outside, that every way from `common` comes to next; null: there
/// are several.
BasicBlock* SegmentFinder::follow(BasicBlock& common, SetVector<BasicBlock*>& hanging) {
  BasicBlock* next = nullptr;
  bool is_one = true;
  auto reach = [&](BasicBlock* from) {
    for (BasicBlock* to : successors(from)) {
      if (scope_.contains(to) && hanging_.contains(to)) {
        hanging.insert(to);
      } else {
        is_one &= !next || next == to;
        next = to;
      }
    }
  };
  reach(&common);
  for (unsigned i = 0; i < hanging.size(); ++i) reach(hanging[i]);
  return is_one ? next : nullptr;
}

std::optional<Reason> SegmentFinder::link() {
  DenseMap<BasicBlock*, unsigned> ways_in;
  first_.insert(scope_.front());
  for (BasicBlock* block : scope_) {
    if (hanging_.contains(block)) continue;
    Instruction* end = block->getTerminator();
    if (skeleton_.contains(block)) {
      if (!uniform_.is_uniform(end->getOperand(0)))
        return Reason{source_line(*end), "threads may part here on their way to a barrier"};
      for (BasicBlock* next : successors(block)) first_.insert(next);
    } else if (const Cut* cut = cut_after_.lookup(block)) {
      next_[block] = cut->continuation;
      first_.insert(cut->continuation);
    } else if (any_of(successors(block), [&](BasicBlock* to) { return scope_.contains(to); }) ||
               end->getNumSuccessors() == 1) {
      BasicBlock* next = follow(*block, after_[block]);
      if (!next) return Reason{source_line(*end), "ways that cross each other around barriers"};
      next_[block] = next;
      if (++ways_in[next] > 1) first_.insert(next);
    }
  }
  return std::nullopt;
}

Segment SegmentFinder::make_segment(BasicBlock& first) {
  Segment segment;
  for (BasicBlock* block = &first;;) {
    segment.common.push_back(block);
    segment.blocks.insert(block);
    auto hanging = after_.find(block);
    if (hanging != after_.end())
      segment.blocks.insert(hanging->second.begin(), hanging->second.end());
    segment.next = next_.lookup(block);
    segment.cut = cut_after_.lookup(block);
    if (!segment.next || !scope_.contains(segment.next) || first_.contains(segment.next))
      return segment;
    block = segment.next;
  }
}

std::optional<Reason> SegmentFinder::find(std::vector<Segment>& found,
                                          const SmallPtrSet<BasicBlock*, 4>& more) {
  find_skeleton();
  find_common();
  for (const auto& [before, cut] : cut_after_)
    if (hanging_.contains(before))
      return Reason{cut->where, "not all threads may come to this barrier"};
  if (auto obstacle = link()) return obstacle;
  for (BasicBlock* block : more)
    if (scope_.contains(block) && !hanging_.contains(block)) first_.insert(block);
  found.push_back(make_segment(*scope_.front()));
  for (BasicBlock* block : ReversePostOrderTraversal<Function*>(scope_.front()->getParent()))
    if (scope_.contains(block) && first_.contains(block) && block != scope_.front())
      found.push_back(make_segment(*block));
  // Segments are copies: a block in two of them would define its values twice.
  SmallPtrSet<BasicBlock*, 32> seen;
  for (const Segment& segment : found)
    for (BasicBlock* block : segment.blocks)
      if (!seen.insert(block).second)
        return Reason{source_line(*block->getTerminator()),
                      "ways that cross each other around barriers"};
  return std::nullopt;
}

}  // namespace gridspan::transforms
