// The fixed point of shapes and divergence.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/vectorise/shapes.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

namespace gridspan::transforms {

using namespace llvm;

Shapes::Shapes(const ThreadBody& body, const LoopInfo& loops,
               const PostDominatorTree& post_dominators, const Assumptions& assumed)
    : body_(body), loops_(loops), post_dominators_(post_dominators), assumed_(assumed) {
  shapes_[body.index] = {Shape::strided, 1, true, true};
  solve();
}

Shape Shapes::of(const Value* value) const {
  auto* instruction = dyn_cast<Instruction>(value);
  if (!instruction) return Shape::same();
  if (!body_.loop->contains(instruction)) {
    for (const OwnArray& array : body_.own_arrays)
      if (value == array.memory) return {Shape::strided, array.stride};
    return Shape::same();
  }
  return shapes_.lookup(value);
}

void Shapes::solve() {
  do {
    changed_ = false;
    for (BasicBlock* block : body_.order) {
      for (Instruction& instruction : *block)
        if (!instruction.isTerminator()) changed_ |= update(instruction);
      if (block == body_.last || divergent_.contains(block)) continue;
      Instruction* end = block->getTerminator();
      if (end->getNumSuccessors() < 2) continue;
      auto* branch = dyn_cast<BranchInst>(end);
      // Lanes that are not here can't take the assumed way: no such promise under masks.
      if (branch && assumed_.taken.contains(branch) && !is_linear(block)) continue;
      Shape condition = of(branch ? branch->getCondition() : end->getOperand(0));
      if (condition.kind == Shape::strided || condition.is_varying()) part_ways(*block);
    }
  } while (changed_);
}

/// Shapes only ever lose precision, so the search ends.
bool Shapes::update(Instruction& instruction) {
  Shape& known = shapes_[&instruction];
  if (known.is_varying()) return false;
  Shape now = compute(instruction);
  if (now.kind == Shape::unknown || now == known) return false;
  bool refines =
      known.kind == Shape::unknown ||
      (known.kind == now.kind && known.stride == now.stride &&
       now.exact_signed <= known.exact_signed && now.exact_unsigned <= known.exact_unsigned);
  shapes_[&instruction] = refines ? now : Shape::any();
  return true;
}

// --- divergence ----------------------------------------------------------------------------------

void Shapes::part_ways(const BasicBlock& at) {
  changed_ = true;
  divergent_.insert(&at);
  const auto* node = post_dominators_.getNode(&at)->getIDom();
  const BasicBlock* meeting = node ? node->getBlock() : nullptr;
  SetVector<const BasicBlock*> between;
  auto reach = [&](const BasicBlock* from) {
    for (const BasicBlock* next : successors(from))
      if (next != meeting && body_.loop->contains(next) && next != body_.header)
        between.insert(next);
  };
  reach(&at);
  for (unsigned i = 0; i < between.size(); ++i) reach(between[i]);
  for (const BasicBlock* block : between) linear_.insert(block);
  // Lanes leave a loop at different times if they part in it and meet outside.
  SetVector<const BasicBlock*> left_by;
  for (const Loop* loop = loops_.getLoopFor(&at); loop != body_.loop && !loop->contains(meeting);
       loop = loop->getParentLoop()) {
    SmallVector<BasicBlock*, 4> exits;
    loop->getExitBlocks(exits);
    left_by.insert(exits.begin(), exits.end());
  }
  joins_.insert(left_by.begin(), left_by.end());
  mark_joins(at, meeting, left_by.getArrayRef());
}

/// Joins are the blocks that two ways from `at` reach through different predecessors: each block is
/// labelled with the last join (or successor of `at`) on every way to it. Lanes that go round once
/// more may take any of the ways out of the loops around `at`: `left_by`.
void Shapes::mark_joins(const BasicBlock& at, const BasicBlock* meeting,
                        ArrayRef<const BasicBlock*> left_by) {
  DenseMap<const BasicBlock*, const BasicBlock*> label;
  for (const BasicBlock* exit : left_by) label[exit] = exit;
  auto pass = [&](const BasicBlock* from, const BasicBlock* to, const BasicBlock* mark) {
    if (!body_.loop->contains(to) || to == body_.header) return;
    if (body_.position.lookup(to) <= body_.position.lookup(from)) return;  // next round of a loop
    auto [known, is_new] = label.try_emplace(to, mark);
    if (is_new || known->second == mark) return;
    joins_.insert(to);
    known->second = to;
  };
  // A successor reached at once is its own label; a second way into it makes it a join.
  for (const BasicBlock* next : successors(&at)) pass(&at, next, next);
  for (unsigned i = body_.position.lookup(&at) + 1; i < body_.order.size(); ++i) {
    const BasicBlock* block = body_.order[i];
    auto found = label.find(block);
    if (found == label.end()) continue;
    if (block == meeting) break;
    const BasicBlock* mark = found->second;
    for (const BasicBlock* next : successors(block)) pass(block, next, mark);
  }
}

}  // namespace gridspan::transforms
