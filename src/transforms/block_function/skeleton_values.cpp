// What can be computed outside the loops over threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/block_function/skeleton_values.h"

#include "transforms/block_function/phi_variables.h"
#include "transforms/context.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

namespace gridspan::transforms {

using namespace llvm;

SkeletonValues::SkeletonValues(ArrayRef<Segment> segments, const UniformValues& uniform,
                               const Segment* inside, const SkeletonValues* outer)
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
        computed_.insert(&phi);
        continue;
      }
      bool was_uniform = uniform_.is_uniform(&phi);
      AllocaInst* memory = inside_ || was_uniform ? DemotePHIToStack(&phi)
                                                  : make_phi_variable(phi, kernel, segment_of);
      if (memory) phis_.insert(memory);
      if (!was_uniform || !memory) continue;
      for (User* user : memory->users())
        if (isa<LoadInst>(user)) reloaded_.insert(user);
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

/// threadIdx.x and arithmetic on it.
static bool is_plain(const Instruction& instruction) {
  if (instruction.mayReadOrWriteMemory() || instruction.mayHaveSideEffects()) return false;
  return isa<BinaryOperator, CastInst, CmpInst, SelectInst>(instruction) ||
         is_repeatable_context_call(instruction);
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

/// A value that others, too, look for in the frame stays where it is; the skeleton computes a copy.
void SkeletonValues::own_what_others_want() {
  for (const Segment& segment : segments_)
    for (BasicBlock* block : segment.common)
      for (Instruction& instruction : make_early_inc_range(*block)) {
        if (!is_plain(instruction) || !is_uniform(&instruction) || outer_->has(&instruction) ||
            reloaded_.contains(&instruction) || !is_used_outside(instruction))
          continue;
        Instruction& copy = own_copy(instruction);
        reloaded_.insert(&copy);
        own_.insert(&copy);
      }
}

/// What a value of the skeleton is made of (`threadIdx.x`) may stand elsewhere.
void SkeletonValues::gather_parts() {
  for (const Segment& segment : segments_)
    for (BasicBlock* block : segment.common)
      for (Instruction& user : make_early_inc_range(*block)) {
        if (!is_plain(user) || !is_uniform(&user) || outer_->has(&user)) continue;
        for (Use& operand : user.operands()) {
          auto* value = dyn_cast<Instruction>(operand);
          unsigned cost = 0;
          if (!value || value->getParent() == block || is_uniform(value) ||
              !can_bring_in(value, cost))
            continue;
          IRBuilder<> builder(&user);
          operand.set(brought_in(value, builder));
        }
      }
}

/// What the threads found out earlier (`warp = threadIdx.x / 32`) is computed again.
void SkeletonValues::bring_in() {
  BasicBlock& first = segments_.front().first();
  SetVector<Instruction*> wanted;
  for (BasicBlock* block : inside_->blocks)
    for (Instruction& user : *block)
      for (Value* operand : user.operands()) {
        auto* value = dyn_cast<Instruction>(operand);
        unsigned cost = 0;
        if (value && !is_inside(*value) && !isa<PHINode>(user) && !outer_->has(value) &&
            uniform_.is_uniform(value) && is_plain(*value) && can_bring_in(value, cost))
          wanted.insert(value);
      }
  IRBuilder<> builder(&first, first.getFirstInsertionPt());
  for (Instruction* value : wanted) {
    auto* copy = cast<Instruction>(brought_in(value, builder));
    value->replaceUsesWithIf(copy, [&](Use& use) {
      auto* user = cast<Instruction>(use.getUser());
      return user != copy && is_inside(*user) && !isa<PHINode>(user);
    });
    reloaded_.insert(copy);
    own_.insert(copy);
  }
}

bool SkeletonValues::can_bring_in(const Value* value, unsigned& cost) const {
  constexpr unsigned most = 8;
  auto* instruction = dyn_cast<Instruction>(value);
  if (!instruction || is_from_outside(value)) return true;
  if (!is_plain(*instruction) || ++cost > most) return false;
  return all_of(instruction->operands(),
                [&](const Use& operand) { return can_bring_in(operand, cost); });
}

Value* SkeletonValues::brought_in(Value* value, IRBuilder<>& builder) {
  auto* instruction = dyn_cast<Instruction>(value);
  if (!instruction || is_from_outside(value)) return value;
  Instruction* copy = instruction->clone();
  for (Use& operand : copy->operands()) operand.set(brought_in(operand, builder));
  return builder.Insert(copy, value->getName());
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

/// A value that is kept in the frame for others gets a copy for the skeleton.
Instruction& SkeletonValues::own_copy(Instruction& value) {
  auto after = isa<PHINode>(value) ? value.getParent()->getFirstInsertionPt()
                                   : std::next(value.getIterator());
  auto* copy = cast<Instruction>(
      IRBuilder<>(value.getParent(), after).CreateFreeze(&value, value.getName() + ".warp"));
  value.replaceUsesWithIf(copy, [&](Use& use) {
    auto* user = cast<Instruction>(use.getUser());
    return user != copy && is_inside(*user);
  });
  return *copy;
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
