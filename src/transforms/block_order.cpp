// Walks along control flow and uses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/block_order.h"

#include "transforms/context.h"
#include "transforms/sync_points.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"

namespace gridspan::transforms {

using namespace llvm;

BlockOrder::BlockOrder(Function& kernel, const DominatorTree& dominators, const LoopInfo& loops,
                       ScalarEvolution& evolution)
    : kernel_(kernel),
      dominators_(dominators),
      loops_(loops),
      evolution_(evolution),
      post_dominators_(kernel) {
  for (Instruction& instruction : instructions(kernel))
    if (auto point = as_sync_point(instruction)) {
      barriers_.push_back(&instruction);
      is_plain_ &= point->kind == abi::SyncKind::barrier;
    }
  find_differing();
}

/// A number of the round of a loop that all threads go round together: in each round is a barrier.
bool BlockOrder::is_of_all_rounds(const PHINode& phi) const {
  const Loop* loop = loops_.getLoopFor(phi.getParent());
  if (!loop || loop->getHeader() != phi.getParent() || !loop->getLoopLatch()) return false;
  return any_of(barriers_, [&](const Instruction* barrier) {
    return loop->contains(barrier) &&
           dominators_.dominates(barrier->getParent(), loop->getLoopLatch());
  });
}

static bool is_of_block(const Instruction& instruction) {
  auto group = special_register(&instruction).group;
  if (group != SpecialRegister::none) return group != SpecialRegister::thread_index;
  if (is_marker(&instruction, Marker::shared) || is_marker(&instruction, Marker::symbol))
    return true;
  if (auto* load = dyn_cast<LoadInst>(&instruction)) {
    auto* argument = dyn_cast<Argument>(getUnderlyingObject(load->getPointerOperand(), 0));
    return argument && argument->hasByValAttr();
  }
  return !isa<CallBase, AllocaInst>(instruction) && !instruction.mayReadFromMemory();
}

void BlockOrder::find_differing() {
  SmallVector<const Instruction*> open;
  for (const Instruction& instruction : instructions(kernel_)) {
    auto* phi = dyn_cast<PHINode>(&instruction);
    if (phi ? !is_of_all_rounds(*phi) : !is_of_block(instruction)) open.push_back(&instruction);
  }
  while (!open.empty()) {
    const Instruction* instruction = open.pop_back_val();
    if (!differing_.insert(instruction).second) continue;
    for (const User* user : instruction->users()) open.push_back(cast<Instruction>(user));
  }
}

/// All threads leave the loop after as many rounds.
bool BlockOrder::ends_together(const BasicBlock& exiting) const {
  const Loop* loop = loops_.getLoopFor(&exiting);
  if (!loop || loop->getExitingBlock() != &exiting) return false;
  const SCEV* rounds = evolution_.getBackedgeTakenCount(loop);
  if (isa<SCEVCouldNotCompute>(rounds)) return false;
  return !SCEVExprContains(rounds, [&](const SCEV* part) {
    if (auto* unknown = dyn_cast<SCEVUnknown>(part)) return differs(unknown->getValue());
    return isa<SCEVAddRecExpr>(part);
  });
}

bool BlockOrder::is_reached_by_all(const Instruction& instruction) const {
  const BasicBlock* there = instruction.getParent();
  return all_of(kernel_, [&](const BasicBlock& block) {
    const Instruction* end = block.getTerminator();
    if (end->getNumSuccessors() < 2) return true;
    auto* branch = dyn_cast<BranchInst>(end);
    if (branch && !differs(branch->getCondition())) return true;
    if (ends_together(block)) return true;
    return post_dominators_.dominates(there, &block) || !is_between(block, *there);
  });
}

/// Some way from the branch to where its ways meet again passes `there`.
bool BlockOrder::is_between(const BasicBlock& branch, const BasicBlock& there) const {
  const auto* node = post_dominators_.getNode(&branch);
  const BasicBlock* meeting = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  SmallSetVector<const BasicBlock*, 16> between;
  auto reach = [&](const BasicBlock& from) {
    for (const BasicBlock* next : successors(&from))
      if (next != meeting) between.insert(next);
  };
  reach(branch);
  for (unsigned i = 0; i < between.size(); ++i) reach(*between[i]);
  return between.contains(&there);
}

bool BlockOrder::reaches(Instruction& from, function_ref<bool(Instruction&, bool)> is_it) const {
  SmallSetVector<std::pair<BasicBlock*, unsigned>, 16> open;
  auto walk = [&](BasicBlock::iterator begin, BasicBlock& block, bool crossed) {
    for (Instruction& instruction : make_range(begin, block.end())) {
      if (is_it(instruction, crossed)) return true;
      crossed |= as_sync_point(instruction).has_value();
    }
    for (BasicBlock* next : successors(&block)) open.insert({next, crossed ? 1u : 0u});
    return false;
  };
  if (walk(std::next(from.getIterator()), *from.getParent(), false)) return true;
  for (unsigned i = 0; i < open.size(); ++i) {
    auto [block, crossed] = open[i];
    if (walk(block->begin(), *block, crossed != 0)) return true;
  }
  return false;
}

bool BlockOrder::has_barrier_between(Instruction& from, Instruction& to) const {
  return !reaches(from, [&](Instruction& one, bool crossed) { return !crossed && &one == &to; });
}

bool BlockOrder::any_cross_barrier(ArrayRef<Instruction*> instructions) const {
  SmallPtrSet<Instruction*, 16> set(instructions.begin(), instructions.end());
  return any_of(instructions, [&](Instruction* from) {
    return reaches(*from,
                   [&](Instruction& one, bool crossed) { return crossed && set.contains(&one); });
  });
}

}  // namespace gridspan::transforms
