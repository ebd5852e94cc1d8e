// What can be computed outside the loops over threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/block_function/skeleton_values.h"

#include "transforms/block_function/phi_variables.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

namespace gridspan::transforms {

using namespace llvm;

SkeletonValues::SkeletonValues(ArrayRef<Segment> segments, const UniformValues& uniform,
                               const Segment* inside, SkeletonValues* outer)
    : segments_(segments), uniform_(uniform), inside_(inside), outer_(outer) {
  for (const Segment& segment : segments) {
    for (const BasicBlock* block : segment.blocks) segment_of_[block] = &segment;
    common_.insert(segment.common.begin(), segment.common.end());
  }
}

void SkeletonValues::find() {
  if (outer_) {
    own_what_others_want();
    bring_in();
    gather_parts();
  }
  for (const Segment& segment : segments_) find_computed(segment);
  keep_wanted_of_first_lane();
  find_fetched();
}

bool SkeletonValues::is_uniform(const Value* value) const {
  return uniform_.is_uniform(value) || reloaded_.contains(value) ||
         (outer_ && (outer_->has(value) || outer_->reloaded_.contains(value)));
}

bool SkeletonValues::is_used_outside(const Instruction& value) const {
  return any_of(value.users(),
                [&](const User* user) { return !is_inside(*cast<Instruction>(user)); });
}

/// The outer skeleton hands it in.
bool SkeletonValues::is_from_outside(const Value* value) const {
  auto* instruction = dyn_cast<Instruction>(value);
  return outer_ && outer_->has(value) &&
         (outer_->is_computed(value) || !instruction || !is_inside(*instruction));
}

/// Its ways in come from ends of segments, so it is chosen between segments.
bool SkeletonValues::can_compute_phi(const PHINode& phi) const {
  return uniform_.is_uniform(&phi) && !is_used_outside(phi) &&
         all_of(phi.blocks(), [&](BasicBlock* from) { return common_.contains(from); });
}

void SkeletonValues::demote_phis(const Segments& kernel) {
  auto segment_of = [&](const BasicBlock* block) { return segment_of_.lookup(block); };
  for (const Segment& segment : segments_) {
    if (inside_ && &segment.first() == &inside_->first()) continue;  // the outer skeleton's
    for (PHINode& phi : make_early_inc_range(segment.first().phis())) {
      if (can_compute_phi(phi)) {
        if (outer_) own_what_comes_in(phi);
        computed_.insert(&phi);
        continue;
      }
      const bool was_uniform = uniform_.is_uniform(&phi);
      const bool was_outer = outer_ && outer_->uniform_.is_uniform(&phi);
      AllocaInst* memory = inside_ || was_uniform ? DemotePHIToStack(&phi)
                                                  : make_phi_variable(phi, kernel, segment_of);
      if (memory) phis_.insert(memory);
      if (!memory) continue;
      for (User* user : memory->users()) {
        if (!isa<LoadInst>(user)) continue;
        if (was_uniform) reloaded_.insert(user);
        if (was_outer) outer_->reloaded_.insert(user);
      }
    }
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
      else if (is_common && can_compute_for_first_lane(instruction))
        of_first_lane_.insert(&instruction);
      memory_changed |= may_change_memory(instruction);
    }
  }
}

/// Before the segment runs, once for all threads.
bool SkeletonValues::can_compute(const Instruction& instruction, const Segment& segment,
                                 bool memory_changed) const {
  if (isa<PHINode, AllocaInst, DbgInfoIntrinsic>(instruction) || instruction.isTerminator() ||
      instruction.getType()->isVoidTy() || !is_uniform(&instruction) ||
      (reloaded_.contains(&instruction) && !own_.contains(&instruction)) ||
      is_exchanged(&instruction) || instruction.mayHaveSideEffects())
    return false;
  if (outer_ && (outer_->has(&instruction) || is_used_outside(instruction))) return false;
  if (instruction.mayReadFromMemory() && (memory_changed || !isa<LoadInst>(instruction)))
    return false;
  return all_of(instruction.operands(), [&](const Use& operand) {
    auto* value = dyn_cast<Instruction>(operand);
    return !value || computed_.contains(value) || is_from_outside(value) ||
           is_of_first_lane_in(*instruction.getParent(), value) ||
           (is_uniform(value) && is_inside(*value) &&
            segment_of_.lookup(value->getParent()) != &segment);
  });
}

/// Of the same block: from one to another, values may go through the frame.
bool SkeletonValues::is_of_first_lane_in(const BasicBlock& block, const Value* value) const {
  return of_first_lane_.contains(value) && cast<Instruction>(value)->getParent() == &block;
}

bool SkeletonValues::can_compute_for_first_lane(const Instruction& instruction) const {
  if (!outer_ || !is_plain(instruction) || has(&instruction) || outer_->has(&instruction) ||
      reloaded_.contains(&instruction))
    return false;
  return all_of(instruction.operands(), [&](const Use& operand) {
    return !isa<Instruction>(operand) || computed_.contains(operand) || is_from_outside(operand) ||
           is_of_first_lane_in(*instruction.getParent(), operand);
  });
}

void SkeletonValues::keep_wanted_of_first_lane() {
  DenseSet<const Value*> wanted;
  SmallVector<const Value*> open(computed_.begin(), computed_.end());
  while (!open.empty())
    for (const Value* operand : cast<Instruction>(open.pop_back_val())->operand_values())
      if (of_first_lane_.contains(operand) && wanted.insert(operand).second)
        open.push_back(operand);
  of_first_lane_ = std::move(wanted);
}

/// The skeleton, or a segment other than the one that finds it, wants the value.
bool SkeletonValues::is_wanted(const Instruction& value) const {
  const Segment* home = segment_of_.lookup(value.getParent());
  return any_of(value.uses(), [&](const Use& use) {
    const auto* user = cast<Instruction>(use.getUser());
    const auto* phi = dyn_cast<PHINode>(user);
    const BasicBlock* at = phi ? phi->getIncomingBlock(use) : user->getParent();
    const Segment* where = segment_of_.lookup(at);
    if (!where) return false;  // outside
    if (exchanged_.contains(user)) return true;
    if (computed_.contains(user)) return !is_of_first_lane_in(*user->getParent(), &value);
    if (where != home) return true;
    return user->isTerminator() && at == &home->last() && home->ends_with_last();
  });
}

void SkeletonValues::find_fetched() {
  SmallVector<Instruction*> copied;
  for (const Segment& segment : segments_)
    for (BasicBlock* block : segment.blocks)
      for (Instruction& instruction : *block) {
        if (instruction.getType()->isVoidTy() || has(&instruction) ||
            isa<AllocaInst>(instruction) || !is_uniform(&instruction) || !is_wanted(instruction))
          continue;
        if (outer_ && outer_->is_computed(&instruction)) continue;
        bool is_kept = outer_ && !outer_->has(&instruction) && is_used_outside(instruction);
        if (is_kept)
          copied.push_back(&instruction);
        else
          fetched_.insert(&instruction);
      }
  for (Instruction* value : copied) {
    Instruction& copy = own_copy(*value);
    reloaded_.insert(&copy);
    fetched_.insert(&copy);
  }
}

bool SkeletonValues::misses_operands() const {
  auto is_missed = [&](const Value* operand) {
    return isa<Instruction>(operand) && !has(operand) && !is_of_first_lane(operand) &&
           !is_from_outside(operand);
  };
  auto misses_one = [&](const Value* value) {
    return any_of(cast<Instruction>(value)->operand_values(), is_missed);
  };
  return any_of(computed_, misses_one) || any_of(of_first_lane_, misses_one);
}

void SkeletonValues::make_places() {
  for (Instruction* value : fetched_) {
    BasicBlock& entry = value->getFunction()->getEntryBlock();
    // Vectors of bits are no neighbours in memory.
    const bool is_bit = value->getType()->isIntegerTy(1);
    Type* type = is_bit ? Type::getInt8Ty(value->getContext()) : value->getType();
    AllocaInst* place =
        IRBuilder<>(&entry, entry.begin()).CreateAlloca(type, nullptr, value->getName() + ".found");
    auto after = isa<PHINode>(value) ? value->getParent()->getFirstInsertionPt()
                                     : std::next(value->getIterator());
    IRBuilder<> builder(value->getParent(), after);
    builder.CreateStore(is_bit ? builder.CreateZExt(value, type) : value, place);
    places_[value] = place;
  }
}

}  // namespace gridspan::transforms
