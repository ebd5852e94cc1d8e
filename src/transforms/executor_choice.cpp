// The tests behind choose_fibers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/executor_choice.h"

#include "analysis/whole_access.h"
#include "transforms/kernels.h"
#include "transforms/sync_points.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace gridspan::transforms {

using namespace llvm;

static bool is_private(const Value* pointer) {
  return isa<AllocaInst>(getUnderlyingObject(pointer));
}

static bool is_polling_load(const Instruction& instruction) {
  auto* load = dyn_cast<LoadInst>(&instruction);
  return load && analysis::is_really_volatile(*load) && !is_private(load->getPointerOperand());
}

/// An update with this constant operand leaves memory as it was: a read in disguise.
static bool changes_nothing(const AtomicRMWInst& update) {
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
      return operand->isMinusOne();
    case AtomicRMWInst::UMin:
      return operand->isMinusOne();
    default:
      return false;
  }
}

/// Adding something and branching on the old value draws a ticket: progress, not waiting.
static bool draws_ticket(const AtomicRMWInst& update) {
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
static bool may_wait(const Instruction& instruction, const Loop& loop) {
  if (auto* load = dyn_cast<LoadInst>(&instruction)) return load->isAtomic();
  if (auto* update = dyn_cast<AtomicRMWInst>(&instruction)) return !draws_ticket(*update);
  if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return loop.isLoopInvariant(exchange->getCompareOperand());
  return false;
}

/// The value of `source` takes part in some branch inside `loop`.
static bool steers_loop(Instruction& source, const Loop& loop) {
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

static Instruction* find_waiting_loop(Function& function) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  for (Instruction& instruction : instructions(function)) {
    if (!instruction.isAtomic() || isa<FenceInst>(instruction)) continue;
    for (Loop* loop = loops.getLoopFor(instruction.getParent()); loop; loop = loop->getParentLoop())
      if (may_wait(instruction, *loop) && steers_loop(instruction, *loop)) return &instruction;
  }
  return nullptr;
}

static std::optional<FiberReason> reason_in(Function& function, bool is_kernel) {
  for (Instruction& instruction : instructions(function)) {
    if (!is_kernel && as_sync_point(instruction))
      return FiberReason{source_line(instruction),
                         "barrier or warp operation in a function that is called recursively or "
                         "through a pointer"};
    if (is_polling_load(instruction))
      return FiberReason{source_line(instruction),
                         "volatile load: threads may watch each other's memory"};
  }
  if (Instruction* waiting = find_waiting_loop(function))
    return FiberReason{source_line(*waiting), "loop waits for another thread's atomic update"};
  return std::nullopt;
}

std::optional<FiberReason> choose_fibers(Function& kernel) {
  for (Function* function : reachable_functions(kernel))
    if (auto reason = reason_in(*function, function == &kernel)) return reason;
  for (Instruction& instruction : instructions(kernel))
    if (auto* memory = dyn_cast<AllocaInst>(&instruction); memory && !memory->isStaticAlloca())
      return FiberReason{source_line(instruction), "alloca of varying size"};
  return std::nullopt;
}

}  // namespace gridspan::transforms
