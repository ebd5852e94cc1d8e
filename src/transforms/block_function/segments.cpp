// Finding the skeleton and what hangs between its points.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/block_function/segments.h"

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

class SegmentFinder {
 public:
  SegmentFinder(Function& kernel, ArrayRef<Cut> cuts, Segments& found)
      : kernel_(kernel), cuts_(cuts), found_(found) {
    for (const Cut& cut : cuts) continuation_[cut.before] = cut.continuation;
  }

  std::optional<Reason> find();

 private:
  void analyse() {
    found_.dominators.recalculate(kernel_);
    found_.post_dominators.recalculate(kernel_);
    found_.loops.releaseMemory();
    found_.loops.analyze(found_.dominators);
  }
  BasicBlock* meeting_of(BasicBlock& block) const {
    const auto* node = found_.post_dominators.getNode(&block)->getIDom();
    return node ? node->getBlock() : nullptr;
  }
  SetVector<BasicBlock*> between(BasicBlock& branch) const;
  void find_skeleton();
  void separate_edges();
  void find_common();
  BasicBlock* follow(BasicBlock& common, SetVector<BasicBlock*>& hanging);
  std::optional<Reason> link();
  void make_segment(BasicBlock& first);

  std::optional<Reason> find_shared_block() const;

  Function& kernel_;
  ArrayRef<Cut> cuts_;
  Segments& found_;
  DenseMap<BasicBlock*, BasicBlock*> continuation_;  // of blocks that end at a barrier
  SetVector<BasicBlock*> skeleton_;                  // blocks that end with a branch of it
  SmallPtrSet<BasicBlock*, 32> hanging_;             // not common
  DenseMap<BasicBlock*, BasicBlock*> next_;          // common block → next common one
  DenseMap<BasicBlock*, SetVector<BasicBlock*>> after_;  // common block → what hangs behind it
  SmallPtrSet<BasicBlock*, 16> first_;                   // begin segments
};

/// The blocks on ways from `branch` to where its ways meet again.
SetVector<BasicBlock*> SegmentFinder::between(BasicBlock& branch) const {
  SetVector<BasicBlock*> blocks;
  BasicBlock* meeting = meeting_of(branch);
  auto reach = [&](BasicBlock* from) {
    for (BasicBlock* next : successors(from))
      if (next != meeting) blocks.insert(next);
  };
  reach(&branch);
  for (unsigned i = 0; i < blocks.size(); ++i) reach(blocks[i]);
  return blocks;
}

void SegmentFinder::find_skeleton() {
  skeleton_.clear();
  for (BasicBlock& block : kernel_) {
    if (block.getTerminator()->getNumSuccessors() < 2) continue;
    bool has_barrier =
        any_of(between(block), [&](BasicBlock* one) { return continuation_.contains(one); });
    if (has_barrier) skeleton_.insert(&block);
  }
}

void SegmentFinder::separate_edges() {
  for (BasicBlock* block : skeleton_)
    for (BasicBlock* next : SmallVector<BasicBlock*>(successors(block)))
      if (next->getSinglePredecessor() != block || isa<PHINode>(next->front()))
        SplitEdge(block, next, &found_.dominators, &found_.loops);
}

void SegmentFinder::find_common() {
  hanging_.clear();
  for (BasicBlock& block : kernel_) {
    if (block.getTerminator()->getNumSuccessors() < 2 || skeleton_.contains(&block)) continue;
    for (BasicBlock* one : between(block)) hanging_.insert(one);
  }
}

/// The common block that every way from `common` comes to next; null: there are several.
BasicBlock* SegmentFinder::follow(BasicBlock& common, SetVector<BasicBlock*>& hanging) {
  BasicBlock* next = nullptr;
  bool is_one = true;
  auto reach = [&](BasicBlock* from) {
    for (BasicBlock* to : successors(from)) {
      if (hanging_.contains(to)) {
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
  first_.insert(&kernel_.getEntryBlock());
  for (BasicBlock& block : kernel_) {
    if (hanging_.contains(&block)) continue;
    Instruction* end = block.getTerminator();
    if (end->getNumSuccessors() == 0) continue;
    if (skeleton_.contains(&block)) {
      if (!found_.uniform->is_uniform(end->getOperand(0)))
        return Reason{source_line(*end), "threads may part on their way to a barrier here"};
      for (BasicBlock* next : successors(&block)) first_.insert(next);
    } else if (BasicBlock* after = continuation_.lookup(&block)) {
      next_[&block] = after;
      first_.insert(after);
    } else {
      BasicBlock* next = follow(block, after_[&block]);
      if (!next) return Reason{source_line(*end), "ways that cross each other around barriers"};
      next_[&block] = next;
      if (++ways_in[next] > 1) first_.insert(next);
    }
  }
  return std::nullopt;
}

void SegmentFinder::make_segment(BasicBlock& first) {
  Segment segment;
  for (BasicBlock* block = &first;;) {
    segment.common.push_back(block);
    segment.blocks.insert(block);
    auto hanging = after_.find(block);
    if (hanging != after_.end())
      segment.blocks.insert(hanging->second.begin(), hanging->second.end());
    BasicBlock* next = next_.lookup(block);
    if (!next || first_.contains(next)) {
      segment.next = next;
      break;
    }
    block = next;
  }
  found_.all.push_back(std::move(segment));
}

std::optional<Reason> SegmentFinder::find() {
  make_one_exit(kernel_);
  analyse();
  ReversePostOrderTraversal<Function*> traversal(&kernel_);
  if (containsIrreducibleCFG<const BasicBlock*>(traversal, found_.loops))
    return Reason{source_line(kernel_), "jumps into a loop"};
  for (BasicBlock& block : kernel_)
    if (&block != &kernel_.back() && !meeting_of(block))
      return Reason{source_line(*block.getTerminator()), "a loop without end"};
  for (Loop* loop : found_.loops)
    simplifyLoop(loop, &found_.dominators, &found_.loops, nullptr, nullptr, nullptr, false);
  found_.post_dominators.recalculate(kernel_);
  find_skeleton();
  separate_edges();
  analyse();
  find_skeleton();
  find_common();
  found_.uniform =
      std::make_unique<UniformValues>(kernel_, found_.loops, found_.post_dominators);
  for (const Cut& cut : cuts_)
    if (hanging_.contains(cut.before))
      return Reason{cut.where, "not all threads of a block may come to this barrier"};
  if (auto obstacle = link()) return obstacle;
  make_segment(kernel_.getEntryBlock());
  for (BasicBlock* block : ReversePostOrderTraversal<Function*>(&kernel_))
    if (first_.contains(block) && block != &kernel_.getEntryBlock()) make_segment(*block);
  return find_shared_block();
}

/// Segments are copies: a block in two of them would define its values twice.
std::optional<Reason> SegmentFinder::find_shared_block() const {
  SmallPtrSet<BasicBlock*, 32> seen;
  for (const Segment& segment : found_.all)
    for (BasicBlock* block : segment.blocks)
      if (!seen.insert(block).second)
        return Reason{source_line(*block->getTerminator()),
                      "ways that cross each other around barriers"};
  return std::nullopt;
}

}  // namespace

FoundSegments find_segments(Function& kernel, ArrayRef<Cut> cuts) {
  for (const Cut& cut : cuts)
    if (cut.kind != abi::SyncKind::barrier)
      return Reason{cut.where, "more than a barrier of the block"};
  auto found = std::make_unique<Segments>();
  if (auto obstacle = SegmentFinder(kernel, cuts, *found).find()) return *obstacle;
  return found;
}

}  // namespace gridspan::transforms
