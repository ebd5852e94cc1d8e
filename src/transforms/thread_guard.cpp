// Recognising guards and moving them into the bounds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/thread_guard.h"

#include "transforms/index_interval.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

namespace gridspan::transforms {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// A condition that a thread must meet to do anything.
struct Guard {
  Value* condition;
  bool holds;
};

/// Nothing happens from `block` on to the end of the thread.
bool is_idle(const BasicBlock* block, const CountedLoop& counted) {
  const BasicBlock* latch = counted.loop->getLoopLatch();
  for (unsigned steps = 0; steps < 4; ++steps) {
    for (const Instruction& instruction : *block)
      if (!instruction.isTerminator() && instruction.mayHaveSideEffects()) return false;
    if (block == latch) return true;
    block = block->getSingleSuccessor();
    if (!block) return false;
  }
  return false;
}

void take_apart(Value* condition, bool holds, SmallVectorImpl<Guard>& guards) {
  Value *first, *second;
  if (holds ? match(condition, m_LogicalAnd(m_Value(first), m_Value(second)))
            : match(condition, m_LogicalOr(m_Value(first), m_Value(second)))) {
    take_apart(first, holds, guards);
    take_apart(second, holds, guards);
  } else if (match(condition, m_Not(m_Value(first)))) {
    take_apart(first, !holds, guards);
  } else {
    guards.push_back({condition, holds});
  }
}

/// The conditions on the way to the first effect, all of which its threads meet, and the branches.
struct Way {
  SmallVector<Guard> guards;
  SmallVector<BasicBlock*> branches;
};

Way way_to_work(const CountedLoop& counted) {
  Way way;
  BasicBlock* block = counted.loop->getHeader();
  for (unsigned steps = 0; steps < 6; ++steps) {
    auto* branch = dyn_cast<BranchInst>(block->getTerminator());
    if (!branch || block == counted.loop->getLoopLatch() ||
        any_of(*block, [](const Instruction& one) { return one.mayHaveSideEffects(); }))
      break;
    bool work = false;  // the number of the way that has some
    if (branch->isConditional()) {
      if (!is_idle(branch->getSuccessor(1), counted)) work = true;
      if (!is_idle(branch->getSuccessor(work ? 0 : 1), counted)) break;
      take_apart(branch->getCondition(), !work, way.guards);
      way.branches.push_back(block);
    }
    block = branch->getSuccessor(work);
    if (!block->getSinglePredecessor()) break;
  }
  return way;
}

/// The loop is entered if `bound`, an i32, is not zero.
void set_bound(Value* bound, const CountedLoop& counted, IRBuilder<>& builder) {
  BasicBlock* preheader = counted.loop->getLoopPreheader();
  BasicBlock *header = counted.loop->getHeader(), *exit = counted.loop->getExitBlock();
  BasicBlock* enter =
      BasicBlock::Create(builder.getContext(), "guarded", preheader->getParent(), header);
  builder.CreateCondBr(builder.CreateICmpEQ(bound, ConstantInt::get(bound->getType(), 0)), exit,
                       enter);
  preheader->getTerminator()->eraseFromParent();
  BranchInst::Create(header, enter);
  counted.index->replaceIncomingBlockWith(preheader, enter);
  counted.test->setOperand(counted.bound_operand, bound);
}

/// Only the threads of `interval` are left in the loop.
void narrow(const IndexInterval& interval, const CountedLoop& counted, IRBuilder<>& builder) {
  Value* all = builder.CreateZExt(counted.bound(), builder.getInt64Ty());
  auto within = [&](Value* value, Value* lowest) {
    value = builder.CreateBinaryIntrinsic(Intrinsic::smin, value, all);
    return builder.CreateBinaryIntrinsic(Intrinsic::smax, value, lowest);
  };
  Value *zero = builder.getInt64(0), *begin = interval.begin ? within(interval.begin, zero) : zero;
  Value* end = within(interval.end ? interval.end : all, begin);
  Type* i32 = builder.getInt32Ty();
  if (!interval.begin) {
    set_bound(builder.CreateTrunc(end, i32, "in_guard"), counted, builder);
    return;
  }
  Value* first = builder.CreateTrunc(begin, i32, "first");
  set_bound(builder.CreateTrunc(builder.CreateSub(end, begin), i32, "in_window"), counted, builder);
  move_index(counted, first);
}

/// `condition` is `holds` in the whole loop.
void replace(Value* condition, bool holds, const CountedLoop& counted, const DataLayout& layout) {
  SmallVector<std::pair<Value*, Value*>> open{
      {condition, ConstantInt::getBool(condition->getContext(), holds)}};
  SmallVector<WeakTrackingVH> dead;
  while (!open.empty()) {
    auto [value, known] = open.pop_back_val();
    SmallSetVector<Instruction*, 4> users;
    value->replaceUsesWithIf(known, [&](Use& use) {
      auto* user = cast<Instruction>(use.getUser());
      if (!counted.loop->contains(user)) return false;
      users.insert(user);
      return true;
    });
    for (Instruction* user : users)
      if (user->getType()->isIntegerTy(1) && !isa<PHINode>(user))
        if (Value* simple = simplifyInstruction(user, layout)) open.push_back({user, simple});
    if (isa<Instruction>(value)) dead.emplace_back(value);
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
}

}  // namespace

bool bound_threads_by_guard(Function& region) {
  DominatorTree dominators(region);
  LoopInfo loops(dominators);
  auto counted = find_counted_loop(loops);
  if (!counted) return false;
  Way way = way_to_work(*counted);
  // Lanes of a warp are told by their lowest bits.
  const bool can_shift = none_of(counted->index->users(), [](const User* user) {
    return match(user, m_And(m_Value(), m_ConstantInt()));
  });
  IRBuilder<> builder(counted->loop->getLoopPreheader()->getTerminator());
  SmallVector<Guard> met;
  IndexInterval common;
  auto both = [&](Intrinsic::ID choice, Value* one, Value* other) {
    return !one ? other : !other ? one : builder.CreateBinaryIntrinsic(choice, one, other);
  };
  for (const Guard& guard : way.guards) {
    auto interval = interval_of(guard.condition, guard.holds, *counted, builder);
    if (!interval || (interval->begin && !can_shift)) continue;
    common.begin = both(Intrinsic::smax, common.begin, interval->begin);
    common.end = both(Intrinsic::smin, common.end, interval->end);
    met.push_back(guard);
  }
  if (met.empty()) return false;
  narrow(common, *counted, builder);
  for (const Guard& guard : met)
    replace(guard.condition, guard.holds, *counted, region.getDataLayout());
  for (BasicBlock* block : way.branches)
    ConstantFoldTerminator(block, /*DeleteDeadConditions=*/true);
  removeUnreachableBlocks(region);
  return true;
}

}  // namespace gridspan::transforms
