// Liveness, rematerialisation and demotion around sync points.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/live_values.h"

#include "transforms/context.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace gridspan::transforms {

using namespace llvm;

/// The block in whose code a use happens: for a phi, the end of the incoming block.
static BasicBlock* block_of_use(const Use& use) {
  auto* user = cast<Instruction>(use.getUser());
  if (auto* phi = dyn_cast<PHINode>(user)) return phi->getIncomingBlock(use);
  return user->getParent();
}

static bool is_used_elsewhere(const Instruction& value) {
  return any_of(value.uses(), [&](const Use& use) {
    return isa<PHINode>(use.getUser()) || block_of_use(use) != value.getParent();
  });
}

LiveValues::LiveValues(Function& function) {
  number_values(function);
  solve(function);
}

void LiveValues::number_values(Function& function) {
  for (Instruction& instruction : instructions(function)) {
    if (isa<AllocaInst>(instruction) || !is_used_elsewhere(instruction)) continue;
    number_[&instruction] = values_.size();
    values_.push_back(&instruction);
  }
}

void LiveValues::solve(Function& function) {
  // used[b]: used in b (or by a phi on an edge out of b) while defined elsewhere or by b's phis.
  DenseMap<const BasicBlock*, BitVector> used, defined;
  for (BasicBlock& block : function) {
    used[&block].resize(values_.size());
    defined[&block].resize(values_.size());
    live_in_[&block].resize(values_.size());
  }
  for (auto [number, value] : enumerate(values_)) {
    defined[value->getParent()].set(number);
    for (const Use& use : value->uses())
      if (BasicBlock* block = block_of_use(use); block != value->getParent())
        used[block].set(number);
  }
  bool changed = true;
  while (changed) {
    changed = false;
    for (BasicBlock* block : post_order(&function)) {
      BitVector live(values_.size());
      for (BasicBlock* next : successors(block)) live |= live_in_[next];
      live.reset(defined[block]);
      live |= used[block];
      if (live == live_in_[block]) continue;
      live_in_[block] = std::move(live);
      changed = true;
    }
  }
}

SetVector<Instruction*> LiveValues::live_into(const BasicBlock& block) const {
  SetVector<Instruction*> values;
  for (unsigned number : live_in_.find(&block)->second.set_bits()) values.insert(values_[number]);
  return values;
}

static SetVector<Instruction*> live_into_any(Function& function,
                                             ArrayRef<BasicBlock*> continuations) {
  LiveValues live(function);
  SetVector<Instruction*> values;
  for (BasicBlock* block : continuations) {
    SetVector<Instruction*> more = live.live_into(*block);
    values.insert(more.begin(), more.end());
  }
  return values;
}

// --- repeating cheap values -------------------------------------------------------------------

/// Instructions a value may cost to be repeated; beyond that a load is cheaper. Of a condition it
/// matters what it is made of: it may bound the loop over threads.
static unsigned repeat_limit(const Value& value) {
  return value.getType()->isIntegerTy(1) ? 32 : 8;
}

using AtHand = function_ref<bool(const Value*)>;

static bool is_leaf(const Value* value, AtHand at_hand) {
  return isa<Argument, Constant, AllocaInst>(value) || at_hand(value);
}

static bool is_cheap(const Instruction& instruction) {
  if (auto* binary = dyn_cast<BinaryOperator>(&instruction))
    return !binary->isIntDivRem() && binary->getOpcode() != Instruction::FDiv &&
           binary->getOpcode() != Instruction::FRem;
  return isa<CastInst, GetElementPtrInst, CmpInst, SelectInst, MinMaxIntrinsic>(instruction);
}

/// Takes what it costs to compute `value` anew from `left`; false when it cannot be or costs more.
static bool can_repeat(const Value* value, AtHand at_hand, unsigned& left) {
  if (is_leaf(value, at_hand)) return true;
  auto* instruction = dyn_cast<Instruction>(value);
  if (!instruction) return false;
  if (is_repeatable_context_call(*instruction)) return true;
  if (!is_cheap(*instruction) || left-- == 0) return false;
  return all_of(instruction->operands(),
                [&](const Use& use) { return can_repeat(use, at_hand, left); });
}

static Value* repeat(Value* value, AtHand at_hand, IRBuilder<>& builder) {
  if (is_leaf(value, at_hand)) return value;
  Instruction* copy = cast<Instruction>(value)->clone();
  for (Use& operand : copy->operands())
    if (!isa<Function>(operand)) operand.set(repeat(operand, at_hand, builder));
  builder.Insert(copy, value->getName());
  return copy;
}

void repeat_cheap_values(Function& function, ArrayRef<BasicBlock*> continuations, AtHand at_hand,
                         AtHand everywhere) {
  for (Instruction* value : live_into_any(function, continuations)) {
    unsigned left = repeat_limit(*value);
    if (at_hand(value) || !can_repeat(value, everywhere, left)) continue;
    DenseMap<BasicBlock*, Value*> copies;
    for (Use& use : make_early_inc_range(value->uses())) {
      BasicBlock* block = block_of_use(use);
      if (block == value->getParent()) continue;
      Value*& copy = copies[block];
      if (!copy) {
        IRBuilder<> builder(block, block->getFirstInsertionPt());
        copy = repeat(value, everywhere, builder);
      }
      use.set(copy);
    }
    if (value->use_empty()) value->eraseFromParent();
  }
}

static bool has_nothing(const Value*) { return false; }

bool is_repeatable(const Value* value) {
  unsigned left = repeat_limit(*value);
  return can_repeat(value, has_nothing, left);
}

Value* repeat_value(Value* value, IRBuilder<>& builder) {
  return repeat(value, has_nothing, builder);
}

// --- demotion ----------------------------------------------------------------------------------

static AllocaInst* demote(Instruction& value) {
  Function& function = *value.getFunction();
  IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  // Vectors of bits are no neighbours in memory: they would be loaded one by one.
  const bool is_bit = value.getType()->isIntegerTy(1);
  Type* type = is_bit ? builder.getInt8Ty() : value.getType();
  AllocaInst* slot = builder.CreateAlloca(type, nullptr, value.getName() + ".slot");
  auto load_at = [&](Instruction& place) -> Value* {
    IRBuilder<> at(&place);
    Value* kept = at.CreateLoad(type, slot);
    return is_bit ? at.CreateICmpNE(kept, at.getInt8(0)) : kept;
  };
  SmallVector<Use*> uses;
  for (Use& use : value.uses())
    if (isa<PHINode>(use.getUser()) || block_of_use(use) != value.getParent()) uses.push_back(&use);
  DenseMap<BasicBlock*, Value*> at_end;  // one load per incoming block: phi entries must agree
  for (Use* use : uses) {
    BasicBlock* block = block_of_use(*use);
    if (isa<PHINode>(use->getUser())) {
      Value*& load = at_end[block];
      if (!load) load = load_at(*block->getTerminator());
      use->set(load);
    } else {
      use->set(load_at(*cast<Instruction>(use->getUser())));
    }
  }
  auto after = isa<PHINode>(value) ? value.getParent()->getFirstInsertionPt()
                                   : std::next(value.getIterator());
  IRBuilder<> behind(value.getParent(), after);
  behind.CreateStore(is_bit ? behind.CreateZExt(&value, type) : &value, slot);
  return slot;
}

std::vector<AllocaInst*> demote_values(ArrayRef<Instruction*> values) {
  std::vector<AllocaInst*> slots;
  for (Instruction* value : values) slots.push_back(demote(*value));
  return slots;
}

}  // namespace gridspan::transforms
