// What can be computed outside the loops over threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/block_function/skeleton_values.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

namespace gridspan::transforms {

using namespace llvm;

SkeletonValues::SkeletonValues(const Segments& segments) : segments_(segments) {
  for (const Segment& segment : segments.all) {
    for (const BasicBlock* block : segment.blocks) segment_of_[block] = &segment;
    common_.insert(segment.common.begin(), segment.common.end());
  }
  demote_phis();
  for (const Segment& segment : segments.all) find_computed(segment);
  find_fetched();
}

bool SkeletonValues::is_uniform(const Value* value) const {
  return segments_.uniform->is_uniform(value) || reloaded_.contains(value);
}

/// Its ways in come from ends of segments, so it is chosen between segments.
bool SkeletonValues::can_compute_phi(const PHINode& phi) const {
  return segments_.uniform->is_uniform(&phi) &&
         all_of(phi.blocks(), [&](BasicBlock* from) { return common_.contains(from); });
}

void SkeletonValues::demote_phis() {
  for (const Segment& segment : segments_.all)
    for (PHINode& phi : make_early_inc_range(segment.first().phis())) {
      if (can_compute_phi(phi)) {
        computed_.insert(&phi);
        continue;
      }
      bool was_uniform = segments_.uniform->is_uniform(&phi);
      AllocaInst* memory = DemotePHIToStack(&phi);
      if (!was_uniform || !memory) continue;
      for (User* user : memory->users())
        if (isa<LoadInst>(user)) reloaded_.insert(user);
    }
}

/// Of memory that threads share.
static bool may_change_memory(const Instruction& instruction) {
  if (!instruction.mayWriteToMemory() || isa<DbgInfoIntrinsic>(instruction)) return false;
  const auto* call = dyn_cast<IntrinsicInst>(&instruction);
  if (call && call->getIntrinsicID() == Intrinsic::prefetch) return false;
  const auto* store = dyn_cast<StoreInst>(&instruction);
  return !store || store->isVolatile() ||
         !isa<AllocaInst>(getUnderlyingObject(store->getPointerOperand()));
}

void SkeletonValues::find_computed(const Segment& segment) {
  bool memory_changed = false;
  for (const BasicBlock* block : segment.blocks) {
    bool is_common = common_.contains(block);
    for (const Instruction& instruction : *block) {
      if (is_common && can_compute(instruction, segment, memory_changed))
        computed_.insert(&instruction);
      memory_changed |= may_change_memory(instruction);
    }
  }
}

/// Before the segment runs, once for all threads.
bool SkeletonValues::can_compute(const Instruction& instruction, const Segment& segment,
                                 bool memory_changed) const {
  if (isa<PHINode, AllocaInst, DbgInfoIntrinsic>(instruction) || instruction.isTerminator() ||
      instruction.getType()->isVoidTy() || !is_uniform(&instruction) ||
      reloaded_.contains(&instruction) || instruction.mayHaveSideEffects())
    return false;
  if (instruction.mayReadFromMemory() && (memory_changed || !isa<LoadInst>(instruction)))
    return false;
  return all_of(instruction.operands(), [&](const Use& operand) {
    auto* value = dyn_cast<Instruction>(operand);
    return !value || computed_.contains(value) ||
           (is_uniform(value) && segment_of_.lookup(value->getParent()) != &segment);
  });
}

/// The skeleton, or a segment other than the one that finds it, wants the value.
bool SkeletonValues::is_wanted(const Instruction& value) const {
  const Segment* home = segment_of_.lookup(value.getParent());
  return any_of(value.uses(), [&](const Use& use) {
    const auto* user = cast<Instruction>(use.getUser());
    if (computed_.contains(user)) return true;
    const auto* phi = dyn_cast<PHINode>(user);
    const BasicBlock* at = phi ? phi->getIncomingBlock(use) : user->getParent();
    const Segment* where = segment_of_.lookup(at);
    if (where != home) return true;
    return user->isTerminator() && at == &home->last() && home->ends_with_last();
  });
}

void SkeletonValues::find_fetched() {
  for (const Segment& segment : segments_.all)
    for (const BasicBlock* block : segment.blocks)
      for (const Instruction& instruction : *block)
        if (!instruction.getType()->isVoidTy() && !computed_.contains(&instruction) &&
            !isa<AllocaInst>(instruction) && is_uniform(&instruction) && is_wanted(instruction))
          fetched_.insert(&instruction);
}

}  // namespace gridspan::transforms
