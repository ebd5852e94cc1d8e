// The fixed point of uniformity and divergence.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/block_function/uniform_values.h"

#include "transforms/context.h"
#include "transforms/shared_atomics.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

namespace gridspan::transforms {

using namespace llvm;

UniformValues::UniformValues(Function& kernel, const LoopInfo& loops,
                             const PostDominatorTree& post_dominators)
    : loops_(loops), post_dominators_(post_dominators) {
  for (Instruction& instruction : instructions(kernel)) known_.insert(&instruction);
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
  return known_.contains(value) && !varying_.contains(value);
}

/// Asks for the thread, or for something that other threads may get otherwise.
bool UniformValues::is_source(const Instruction& instruction) const {
  if (isa<AllocaInst>(instruction) || instruction.isAtomic() ||
      instruction.isVolatile())
    return true;
  if (isa<LoadInst>(instruction)) return was_atomic(instruction);
  auto* call = dyn_cast<CallBase>(&instruction);
  if (!call) return false;
  if (is_repeatable_context_call(instruction)) {
    if (is_marker(call, Marker::thread) || is_marker(call, Marker::linear_thread)) return true;
    switch (call->getIntrinsicID()) {
      case Intrinsic::nvvm_read_ptx_sreg_tid_x:
      case Intrinsic::nvvm_read_ptx_sreg_tid_y:
      case Intrinsic::nvvm_read_ptx_sreg_tid_z:
        return true;
      default:
        return false;
    }
  }
  return !call->doesNotAccessMemory() || !call->willReturn() || call->isConvergent();
}

bool UniformValues::varies(const Instruction& instruction) const {
  if (is_source(instruction)) return true;
  for (const Use& operand : instruction.operands()) {
    if (!is_uniform(operand)) return true;
    // Threads that leave a loop one by one have its values from different rounds.
    auto* value = dyn_cast<Instruction>(operand);
    if (!value) continue;
    for (const Loop* loop = loops_.getLoopFor(value->getParent());
         loop && !loop->contains(instruction.getParent()); loop = loop->getParentLoop())
      if (left_one_by_one_.contains(loop)) return true;
  }
  auto* phi = dyn_cast<PHINode>(&instruction);
  return phi && joins_.contains(phi->getParent()) && !phi->hasConstantValue();
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
