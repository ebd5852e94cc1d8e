// What a warp's skeleton computes although it is found elsewhere, or for others.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/block_function/skeleton_values.h"

#include "transforms/context.h"

#include "llvm/IR/IRBuilder.h"

namespace gridspan::transforms {

using namespace llvm;

/// threadIdx.x and arithmetic on it.
bool SkeletonValues::is_plain(const Instruction& instruction) {
  if (instruction.mayReadOrWriteMemory() || instruction.mayHaveSideEffects()) return false;
  return isa<BinaryOperator, CastInst, CmpInst, SelectInst>(instruction) ||
         is_repeatable_context_call(instruction);
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

/// What comes into a phi of the warp's skeleton from outside is found by each thread for itself,
/// unless it is the outer skeleton's: a copy at the end of its way in is the warp's.
void SkeletonValues::own_what_comes_in(PHINode& phi) {
  for (BasicBlock* from : phi.blocks()) {
    auto* value = dyn_cast<Instruction>(phi.getIncomingValueForBlock(from));
    if (!value || (is_inside(*value) ? is_uniform(value) : outer_->is_uniform(value))) continue;
    IRBuilder<> builder(from->getTerminator());
    auto* copy = cast<Instruction>(builder.CreateFreeze(value, value->getName() + ".warp"));
    phi.setIncomingValueForBlock(from, copy);
    reloaded_.insert(copy);
    own_.insert(copy);
  }
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

}  // namespace gridspan::transforms
