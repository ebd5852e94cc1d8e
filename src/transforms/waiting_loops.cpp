// The tests behind find_waiting_loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/waiting_loops.h"

#include "analysis/whole_access.h"
#include "transforms/shared_volatile.h"
#include "transforms/sync_points.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

namespace gridspan::transforms {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// An update with this constant operand leaves memory as it was: a read in disguise.
bool changes_nothing(const AtomicRMWInst& update) {
  auto* operand = dyn_cast<ConstantInt>(update.getValOperand());
  if (!operand) return false;
  switch (update.getOperation()) {
    case AtomicRMWInst::Add:
    case AtomicRMWInst::Sub:
    case AtomicRMWInst::Or:
    case AtomicRMWInst::Xor:
    case AtomicRMWInst::UMax:
      return operand->isZero();
    case AtomicRMWInst::And:
    case AtomicRMWInst::UMin:
      return operand->isMinusOne();
    default:
      return false;
  }
}

/// Adding something and branching on the old value draws a ticket: progress, not waiting.
bool draws_ticket(const AtomicRMWInst& update) {
  switch (update.getOperation()) {
    case AtomicRMWInst::Add:
    case AtomicRMWInst::Sub:
    case AtomicRMWInst::FAdd:
    case AtomicRMWInst::FSub:
    case AtomicRMWInst::UIncWrap:
    case AtomicRMWInst::UDecWrap:
      return isa<Constant>(update.getValOperand()) && !changes_nothing(update);
    default:
      return false;
  }
}

/// `instruction` may tell its thread, in `loop`, to go round again until another thread acts.
bool may_wait(const Instruction& instruction, const Loop& loop) {
  if (auto* load = dyn_cast<LoadInst>(&instruction)) return load->isAtomic() || load->isVolatile();
  if (auto* update = dyn_cast<AtomicRMWInst>(&instruction)) return !draws_ticket(*update);
  if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return loop.isLoopInvariant(exchange->getCompareOperand());
  return false;
}

/// The value of `source` takes part in some branch inside `loop`.
bool steers_loop(Instruction& source, const Loop& loop) {
  SetVector<Instruction*> slice;
  slice.insert(&source);
  for (unsigned i = 0; i < slice.size(); ++i) {
    for (User* user : slice[i]->users()) {
      auto* next = dyn_cast<Instruction>(user);
      if (!next || !loop.contains(next)) continue;
      if (next->isTerminator()) return true;
      if (isa<StoreInst, AtomicRMWInst, AtomicCmpXchgInst>(next)) continue;
      slice.insert(next);
    }
  }
  return false;
}

/// Where one loop gets on, and where to.
class LoopEnd {
 public:
  LoopEnd(const Loop& loop, const DominatorTree& dominators,
          const PostDominatorTree& post_dominators)
      : loop_(loop), dominators_(dominators), post_dominators_(post_dominators) {
    for (const BasicBlock* block : loop.blocks())
      for (const Instruction& instruction : *block) note_write(instruction);
  }

  /// All that ends the loop is found without `source`, nor from memory that the loop writes, and
  /// there is an end: the loop counts, or follows what it reads to new places.
  bool comes_without(const Instruction& source) {
    if (may_decide_end(source)) return false;
    SmallVector<BasicBlock*> exiting;
    loop_.getExitingBlocks(exiting);
    if (exiting.empty()) return false;
    const bool counts = any_of(exiting, [&](BasicBlock* block) { return ends_by_count(*block); });
    return all_of(exiting, [&](BasicBlock* block) {
      seen_.clear();
      auto* branch = dyn_cast<BranchInst>(block->getTerminator());
      return branch && is_found_alone(branch->getCondition(), counts);
    });
  }

 private:
  void note_write(const Instruction& instruction) {
    if (!instruction.mayWriteToMemory() || isa<FenceInst>(instruction)) return;
    const Value* address = getLoadStorePointerOperand(&instruction);
    if (auto* update = dyn_cast<AtomicRMWInst>(&instruction)) address = update->getPointerOperand();
    if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
      address = exchange->getPointerOperand();
    if (!address)
      writes_anywhere_ = true;
    else
      written_.insert(getUnderlyingObject(address));
  }

  static bool has_name(const Value* object) {
    return isa<Argument, GlobalVariable, AllocaInst>(object);
  }

  /// Two parameters may point to one array, but nobody waits in one for what he writes in the
  /// other.
  bool may_be_written(const Value* address) const {
    const Value* object = getUnderlyingObject(address);
    return writes_anywhere_ || any_of(written_, [&](const Value* other) {
             return other == object || !has_name(other) || !has_name(object);
           });
  }

  /// Follows the value, and what branches on it choose, to the loop's ends.
  bool may_decide_end(const Instruction& source) const {
    SetVector<const Instruction*> reached;
    reached.insert(&source);
    for (unsigned i = 0; i < reached.size(); ++i) {
      const Instruction* at = reached[i];
      if (at->isTerminator()) {
        if (!follow_branch(*at->getParent(), reached)) return true;
        continue;
      }
      for (const User* user : at->users())
        if (auto* next = dyn_cast<Instruction>(user); next && loop_.contains(next))
          reached.insert(next);
    }
    return false;
  }

  /// Adds what differs behind the ways from `from`; false: one of them leaves the loop.
  bool follow_branch(const BasicBlock& from, SetVector<const Instruction*>& reached) const {
    auto* node = post_dominators_.getNode(&from);
    const BasicBlock* meeting = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    if (!meeting || !loop_.contains(meeting)) return false;
    SetVector<const BasicBlock*> ways;
    for (const BasicBlock* next : successors(&from)) ways.insert(next);
    for (unsigned i = 0; i < ways.size(); ++i) {
      if (!loop_.contains(ways[i])) return false;
      if (ways[i] == meeting) continue;
      for (const BasicBlock* next : successors(ways[i])) ways.insert(next);
    }
    for (const BasicBlock* block : ways)
      for (const PHINode& phi : block->phis())
        if (!phi.hasConstantValue()) reached.insert(&phi);
    return true;
  }

  /// The same in every run of the loop, whatever other threads do meanwhile. If the loop `counts`,
  /// a limit may be read again and again.
  bool is_found_alone(const Value* value, bool counts) {
    auto* instruction = dyn_cast<Instruction>(value);
    if (!instruction || !loop_.contains(instruction) || !seen_.insert(instruction).second)
      return true;
    if (auto* update = dyn_cast<AtomicRMWInst>(instruction)) return draws_ticket(*update);
    if (auto* load = dyn_cast<LoadInst>(instruction)) {
      if (!load->isSimple() || may_be_written(load->getPointerOperand())) return false;
      if (!counts && loop_.isLoopInvariant(load->getPointerOperand())) return false;
    } else if (instruction->mayReadOrWriteMemory()) {
      return false;
    }
    return all_of(instruction->operand_values(),
                  [&](const Value* operand) { return is_found_alone(operand, counts); });
  }

  /// Every round comes to `block`, and leaves there once a counter has passed its limit.
  bool ends_by_count(const BasicBlock& block) const {
    SmallVector<BasicBlock*> latches;
    loop_.getLoopLatches(latches);
    auto* branch = dyn_cast<BranchInst>(block.getTerminator());
    return branch && branch->isConditional() &&
           all_of(latches,
                  [&](BasicBlock* latch) { return dominators_.dominates(&block, latch); }) &&
           is_count(branch->getCondition(), loop_.contains(branch->getSuccessor(0)));
  }

  /// While the loop goes on, `condition` is `holds`.
  bool is_count(const Value* condition, bool holds) const {
    const Value *first, *second;
    if (match(condition, m_Not(m_Value(first)))) return is_count(first, !holds);
    if (holds ? match(condition, m_LogicalAnd(m_Value(first), m_Value(second)))
              : match(condition, m_LogicalOr(m_Value(first), m_Value(second))))
      return is_count(first, holds) || is_count(second, holds);
    auto* comparison = dyn_cast<ICmpInst>(condition);
    if (!comparison) return false;
    auto predicate = holds ? comparison->getPredicate() : comparison->getInversePredicate();
    if (predicate == CmpInst::ICMP_EQ) return false;
    for (unsigned side = 0; side < 2; ++side) {
      const Value *number = comparison->getOperand(side), *limit = comparison->getOperand(1 - side);
      const bool may_count = predicate != CmpInst::ICMP_NE || loop_.isLoopInvariant(limit);
      if (may_count && is_counter(number, predicate)) return true;
      predicate = CmpInst::getSwappedPredicate(predicate);
    }
    return false;
  }

  /// Going on while `predicate` holds, numbers that grow by `step` get nearer to the end.
  static bool is_towards_end(const Value* step, CmpInst::Predicate predicate) {
    auto* constant = dyn_cast<ConstantInt>(step);
    if (!constant || predicate == CmpInst::ICMP_NE) return true;
    return constant->isNegative() == (ICmpInst::isGT(predicate) || ICmpInst::isGE(predicate));
  }

  /// Moves on by the same step, or doubles or halves, in each round; or draws a ticket in each.
  bool is_counter(const Value* number, CmpInst::Predicate predicate) const {
    while (auto* cast = dyn_cast<CastInst>(number)) number = cast->getOperand(0);
    if (auto* update = dyn_cast<AtomicRMWInst>(number))
      return loop_.contains(update) && draws_ticket(*update);
    auto* phi = dyn_cast<PHINode>(number);
    if (!phi) {
      auto* step = dyn_cast<Instruction>(number);
      if (!step || step->getNumOperands() == 0) return false;
      for (const Value* operand : step->operand_values())
        if (auto* one = dyn_cast<PHINode>(operand); one && is_step(*step, *one, predicate))
          phi = one;
    }
    if (!phi || phi->getParent() != loop_.getHeader()) return false;
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
      auto* next = dyn_cast<Instruction>(phi->getIncomingValue(i));
      if (loop_.contains(phi->getIncomingBlock(i)) && (!next || !is_step(*next, *phi, predicate)))
        return false;
    }
    return true;
  }

  bool is_step(const Instruction& next, const PHINode& from, CmpInst::Predicate predicate) const {
    if (!isa<BinaryOperator, GetElementPtrInst>(next) || next.getNumOperands() != 2) return false;
    const Value *first = next.getOperand(0), *second = next.getOperand(1);
    const Value* step = first == &from ? second : first;
    if ((first != &from && second != &from) || !loop_.isLoopInvariant(step) ||
        match(step, m_Zero()))
      return false;
    switch (next.getOpcode()) {
      case Instruction::Add:
        return is_towards_end(step, predicate);
      case Instruction::GetElementPtr:
        return first == &from && is_towards_end(step, predicate);
      case Instruction::Sub:
      case Instruction::Shl:
      case Instruction::LShr:
      case Instruction::AShr:
      case Instruction::UDiv:
      case Instruction::SDiv:
        return first == &from;
      case Instruction::Mul:
        return isa<Constant>(step);
      default:
        return false;
    }
  }

  const Loop& loop_;
  const DominatorTree& dominators_;
  const PostDominatorTree& post_dominators_;
  SmallPtrSet<const Value*, 8> written_;  // objects
  bool writes_anywhere_ = false;
  SmallPtrSet<const Value*, 16> seen_;
};

/// Calls `visit` with what a loop may wait for, and the loop, until it answers false.
template <class Visit>
void visit_waiting_loops(Function& function, Visit visit) {
  DominatorTree dominators(function);
  PostDominatorTree post_dominators(function);
  LoopInfo loops(dominators);
  for (Instruction& instruction : instructions(function)) {
    auto* load = dyn_cast<LoadInst>(&instruction);
    const bool is_watched = load && analysis::is_really_volatile(*load);
    if ((!instruction.isAtomic() && !is_watched) || isa<FenceInst>(instruction)) continue;
    for (Loop* loop = loops.getLoopFor(instruction.getParent()); loop; loop = loop->getParentLoop())
      if (may_wait(instruction, *loop) && steers_loop(instruction, *loop) &&
          !LoopEnd(*loop, dominators, post_dominators).comes_without(instruction) &&
          !visit(instruction, *loop))
        return;
  }
}

bool lets_others_run(const BasicBlock& latch) {
  return any_of(latch, [](const Instruction& instruction) {
    auto point = as_sync_point(const_cast<Instruction&>(instruction));
    return point && point->kind == abi::SyncKind::waiting_round;
  });
}

/// Lanes may tell each other something in each round, by stores and loads in step.
bool writes_where_it_looks(const Loop& loop, const Instruction& looks) {
  const auto* load = dyn_cast<LoadInst>(&looks);
  if (!load) return false;
  const bool in_shared = is_in_shared_memory(*load->getPointerOperand());
  return any_of(loop.blocks(), [&](const BasicBlock* block) {
    return any_of(*block, [&](const Instruction& instruction) {
      if (as_sync_point(const_cast<Instruction&>(instruction))) return false;
      if (in_shared) return may_write_shared(instruction);
      if (isa<CallBase>(instruction) && !isa<IntrinsicInst>(instruction))
        return instruction.mayWriteToMemory();
      const auto* store = dyn_cast<StoreInst>(&instruction);
      return store && !isa<AllocaInst>(getUnderlyingObject(store->getPointerOperand())) &&
             !is_in_shared_memory(*store->getPointerOperand());
    });
  });
}

bool lets_others_run(const Loop& loop) {
  SmallVector<BasicBlock*> latches;
  loop.getLoopLatches(latches);
  return all_of(latches, [](const BasicBlock* latch) { return lets_others_run(*latch); });
}

}  // namespace

std::optional<FiberReason> find_waiting_loop(Function& function) {
  std::optional<FiberReason> found;
  visit_waiting_loops(function, [&](Instruction& waiting, const Loop& loop) {
    if (!lets_others_run(loop))
      found = FiberReason{source_line(waiting),
                          waiting.isAtomic() ? "loop waits for another thread's atomic update"
                                             : "loop waits for what another thread writes"};
    return !found;
  });
  return found;
}

SmallPtrSet<const Instruction*, 8> watched_in_rounds(Function& kernel) {
  SmallPtrSet<const Instruction*, 8> found, seen;
  visit_waiting_loops(kernel, [&](const Instruction& waiting, const Loop& innermost) {
    if (seen.insert(&waiting).second && lets_others_run(innermost) &&
        !writes_where_it_looks(innermost, waiting))
      found.insert(&waiting);
    return true;
  });
  return found;
}

void let_others_run(Function& kernel) {
  SetVector<BasicBlock*> ends;
  visit_waiting_loops(kernel, [&](const Instruction&, const Loop& loop) {
    SmallVector<BasicBlock*> latches;
    loop.getLoopLatches(latches);
    ends.insert(latches.begin(), latches.end());
    return true;
  });
  if (ends.empty()) return;
  FunctionCallee round = kernel.getParent()->getOrInsertFunction(
      abi::waiting_round_function, Type::getVoidTy(kernel.getContext()));
  auto* function = cast<Function>(round.getCallee());
  function->setConvergent();
  function->setDoesNotThrow();
  for (BasicBlock* end : ends) {
    IRBuilder<> builder(end->getTerminator());
    builder.CreateCall(round)->setConvergent();
  }
}

}  // namespace gridspan::transforms
