// A topological order of blocks in which loops are in one piece.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/warp_steps/step_order.h"

#include "abi/sync.h"
#include "transforms/sync_points.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

bool is_step(Instruction& instruction) {
  const auto point = as_sync_point(instruction);
  return point && point->kind == abi::SyncKind::warp_step;
}

SmallVector<CallInst*> steps_of(Function& function) {
  SmallVector<CallInst*> steps;
  for (Instruction& instruction : instructions(function))
    if (is_step(instruction)) steps.push_back(cast<CallInst>(&instruction));
  return steps;
}

/// Rounds in which lanes may pass different steps end with a step.
void end_rounds(const CallInst& step, const LoopInfo& loops, const DominatorTree& dominators) {
  for (const Loop* loop = loops.getLoopFor(step.getParent()); loop; loop = loop->getParentLoop()) {
    SmallVector<BasicBlock*> latches;
    loop->getLoopLatches(latches);
    if (all_of(latches, [&](BasicBlock* latch) {
          return loop == loops.getLoopFor(step.getParent()) &&
                 dominators.dominates(step.getParent(), latch);
        }))
      continue;
    for (BasicBlock* latch : latches) {
      Instruction* end = latch->getTerminator();
      if (end->getPrevNode() && is_step(*end->getPrevNode())) continue;
      Instruction* copy = step.clone();
      copy->insertBefore(end);
    }
  }
}

/// Ways out of loops are walked first, so that they come last.
void walk(BasicBlock& from, const LoopInfo& loops, SmallVectorImpl<BasicBlock*>& post_order) {
  struct Open {
    BasicBlock* block;
    SmallVector<BasicBlock*, 4> next;  // from the back
  };
  SmallPtrSet<BasicBlock*, 32> seen;
  SmallVector<Open> stack;
  auto enter = [&](BasicBlock* block) {
    if (!seen.insert(block).second) return;
    Open open{block, {}};
    for (BasicBlock* next : successors(block)) {
      const unsigned depth = loops.getLoopDepth(next);
      auto* at =
          find_if(open.next, [&](BasicBlock* one) { return loops.getLoopDepth(one) < depth; });
      open.next.insert(at, next);
    }
    stack.push_back(std::move(open));
  };
  enter(&from);
  while (!stack.empty()) {
    if (stack.back().next.empty()) {
      post_order.push_back(stack.back().block);
      stack.pop_back();
    } else {
      enter(stack.back().next.pop_back_val());
    }
  }
}

}  // namespace

void number_steps(Function& function) {
  SmallVector<CallInst*> steps = steps_of(function);
  if (steps.empty()) return;
  const DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  for (const CallInst* step : steps) end_rounds(*step, loops, dominators);
  SmallVector<BasicBlock*> post_order;
  walk(function.getEntryBlock(), loops, post_order);
  std::uint32_t number = 0;
  for (BasicBlock* block : reverse(post_order))
    for (Instruction& instruction : *block)
      if (is_step(instruction))
        cast<CallInst>(instruction)
            .setArgOperand(0, ConstantInt::get(Type::getInt32Ty(function.getContext()), ++number));
}

}  // namespace gridspan::transforms
