// The fixed point of uniformity and divergence.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/block_function/uniform_values.h"

#include "transforms/block_function/block_votes.h"
#include "transforms/block_function/warp_exchange.h"
#include "transforms/context.h"
#include "transforms/linear_threads.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"

namespace gridspan::transforms {

using namespace llvm;
using namespace llvm::PatternMatch;

UniformValues::UniformValues(Function& kernel, const LoopInfo& loops,
                             const PostDominatorTree& post_dominators, Together together)
    : loops_(loops),
      post_dominators_(post_dominators),
      together_(together),
      rows_are_warps_(!has_linear_threads(kernel)) {
  for (Instruction& instruction : instructions(kernel)) known_[&instruction] = true;
  do {
    changed_ = false;
    for (BasicBlock& block : kernel) {
      for (Instruction& instruction : block)
        if (!varying_.contains(&instruction) && varies(instruction))
          changed_ |= varying_.insert(&instruction).second;
      const Instruction* end = block.getTerminator();
      if (end->getNumSuccessors() > 1 && !is_uniform(end->getOperand(0)) &&
          parted_.insert(&block).second)
        part_ways(block);
    }
  } while (changed_);
}

bool UniformValues::is_uniform(const Value* value) const {
  if (!isa<Instruction>(value)) return true;
  return known_.count(value) != 0 && !varying_.contains(value);
}

/// Asks for the thread, or for something that other threads may get otherwise.
bool UniformValues::is_source(const Instruction& instruction) const {
  if (isa<AllocaInst>(instruction) || instruction.isAtomic() || instruction.isVolatile())
    return true;
  if (isa<LoadInst>(instruction)) return false;
  auto* call = dyn_cast<CallBase>(&instruction);
  if (!call) return false;
  if (is_repeatable_context_call(instruction)) {
    if (is_marker(call, Marker::thread) || is_marker(call, Marker::linear_thread)) return true;
    switch (call->getIntrinsicID()) {
      case Intrinsic::nvvm_read_ptx_sreg_tid_x:
        return true;
      case Intrinsic::nvvm_read_ptx_sreg_tid_y:
      case Intrinsic::nvvm_read_ptx_sreg_tid_z:
        return together_ == Together::block;
      default:
        return false;
    }
  }
  if (together_ == Together::warp && gives_all_lanes_one(*call)) return false;
  return !call->doesNotAccessMemory() || !call->willReturn() || call->isConvergent();
}

/// Threads that leave a loop one by one have its values from different rounds.
bool UniformValues::is_of_one_round(const Value* value, const Instruction& user) const {
  auto* instruction = dyn_cast<Instruction>(value);
  if (!instruction) return true;
  for (const Loop* loop = loops_.getLoopFor(instruction->getParent());
       loop && !loop->contains(user.getParent()); loop = loop->getParentLoop())
    if (left_one_by_one_.contains(loop)) return false;
  return true;
}

bool UniformValues::varies(const Instruction& instruction) const {
  if (is_block_vote(instruction)) return false;
  if (is_source(instruction)) return true;
  for (const Use& operand : instruction.operands())
    if (!is_of_one_round(operand, instruction)) return true;
  if (together_ == Together::warp && forgets_lane(instruction)) return false;
  if (together_ == Together::warp && gives_all_lanes_one(instruction))
    return !is_uniform(sent_lane(instruction));
  if (any_of(instruction.operands(), [&](const Use& operand) { return !is_uniform(operand); }))
    return true;
  auto* phi = dyn_cast<PHINode>(&instruction);
  return phi && joins_.contains(phi->getParent()) && !phi->hasConstantValue();
}

// --- warps ---------------------------------------------------------------------------------------

static constexpr unsigned depth_limit = 8;

static bool is_register(const Value* value, Intrinsic::ID id) {
  auto* call = dyn_cast<IntrinsicInst>(value);
  return call && call->getIntrinsicID() == id;
}

/// A multiple of 32, the same for the warp.
bool UniformValues::is_multiple(const Value* value, unsigned depth) const {
  if (auto* constant = dyn_cast<ConstantInt>(value)) return constant->getValue().countr_zero() >= 5;
  if (is_register(value, Intrinsic::nvvm_read_ptx_sreg_ntid_x)) return rows_are_warps_;
  auto* instruction = dyn_cast<Instruction>(value);
  if (!instruction || !is_uniform(value) || ++depth > depth_limit) return false;
  if (isa<ZExtInst, SExtInst>(instruction)) return is_multiple(instruction->getOperand(0), depth);
  auto* operation = dyn_cast<BinaryOperator>(instruction);
  if (!operation) return false;
  Value *left = operation->getOperand(0), *right = operation->getOperand(1);
  switch (operation->getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Or:
      return is_multiple(left, depth) && is_multiple(right, depth);
    case Instruction::Mul:
    case Instruction::And:
      return is_multiple(left, depth) || is_multiple(right, depth);
    case Instruction::Shl:
      return match(right, m_ConstantInt()) && cast<ConstantInt>(right)->getZExtValue() >= 5;
    default:
      return false;
  }
}

/// A multiple of 32 that is the same for the warp, and the lane's number on top of it.
bool UniformValues::is_multiple_and_lane(const Value* value, unsigned depth) const {
  if (is_register(value, Intrinsic::nvvm_read_ptx_sreg_tid_x) ||
      is_marker(value, Marker::linear_thread))
    return true;
  auto* instruction = dyn_cast<Instruction>(value);
  if (!instruction || ++depth > depth_limit) return false;
  if (isa<ZExtInst, SExtInst>(instruction))
    return is_multiple_and_lane(instruction->getOperand(0), depth);
  bool adds = instruction->getOpcode() == Instruction::Add ||
              match(instruction, m_DisjointOr(m_Value(), m_Value()));
  if (!adds) return false;
  Value *left = instruction->getOperand(0), *right = instruction->getOperand(1);
  if (!is_of_one_round(left, *instruction) || !is_of_one_round(right, *instruction)) return false;
  return (is_multiple(left) && is_multiple_and_lane(right, depth)) ||
         (is_multiple(right) && is_multiple_and_lane(left, depth));
}

/// threadIdx.x, or blockIdx.x * blockDim.x + threadIdx.x: not negative.
bool UniformValues::is_position(const Value* value) const {
  if (isa<ZExtInst, SExtInst>(value)) return is_position(cast<Instruction>(value)->getOperand(0));
  auto thread = m_Intrinsic<Intrinsic::nvvm_read_ptx_sreg_tid_x>();
  auto block = m_c_Mul(m_Intrinsic<Intrinsic::nvvm_read_ptx_sreg_ctaid_x>(),
                       m_Intrinsic<Intrinsic::nvvm_read_ptx_sreg_ntid_x>());
  return match(value, thread) || is_marker(value, Marker::linear_thread) ||
         match(value, m_c_Add(block, thread));
}

/// The lane does not matter to what a number is without its lowest five bits.
bool UniformValues::forgets_lane(const Instruction& instruction) const {
  Value* number = instruction.getNumOperands() > 0 ? instruction.getOperand(0) : nullptr;
  if (!number || !number->getType()->isIntegerTy()) return false;
  if (auto* test = dyn_cast<ICmpInst>(&instruction)) {
    if (test->isEquality()) return false;
    auto predicate = test->getPredicate();
    Value* limit = test->getOperand(1);
    if (!is_multiple_and_lane(number)) {
      std::swap(number, limit);
      predicate = test->getSwappedPredicate();
    }
    if (!is_multiple_and_lane(number)) return false;
    bool excludes = ICmpInst::isLT(predicate) || ICmpInst::isGE(predicate);  // 32 k + lane < 32 m
    auto* constant = dyn_cast<ConstantInt>(limit);
    return excludes ? is_multiple(limit)
                    : constant && (constant->getValue() + 1).countr_zero() >= 5;
  }
  auto* operation = dyn_cast<BinaryOperator>(&instruction);
  auto* constant = operation ? dyn_cast<ConstantInt>(operation->getOperand(1)) : nullptr;
  if (!constant || !is_multiple_and_lane(number)) return false;
  switch (operation->getOpcode()) {
    case Instruction::LShr:
    case Instruction::AShr:
      return constant->getValue().uge(5) && constant->getValue().ult(constant->getBitWidth());
    case Instruction::And:
    case Instruction::UDiv:
      return constant->getValue().countr_zero() >= 5;
    case Instruction::SDiv:
      return constant->getValue().countr_zero() >= 5 && is_position(number);
    default:
      return false;
  }
}

/// Everything reachable before the ways meet again; a block with two ways into it is a join.
void UniformValues::part_ways(const BasicBlock& at) {
  changed_ = true;
  const auto* node = post_dominators_.getNode(&at)->getIDom();
  const BasicBlock* meeting = node ? node->getBlock() : nullptr;
  SetVector<const BasicBlock*> between;
  auto reach = [&](const BasicBlock* from) {
    for (const BasicBlock* next : successors(from))
      if (next != meeting) between.insert(next);
  };
  reach(&at);
  for (unsigned i = 0; i < between.size(); ++i) reach(between[i]);
  for (const BasicBlock* block : between) {
    divergent_.insert(block);
    if (pred_size(block) > 1) joins_.insert(block);
  }
  if (meeting) joins_.insert(meeting);
  for (const Loop* loop = loops_.getLoopFor(&at); loop && !(meeting && loop->contains(meeting));
       loop = loop->getParentLoop())
    left_one_by_one_.insert(loop);
}

}  // namespace gridspan::transforms
