// What the widener cannot write, or had better not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/half_conversions.h"
#include "transforms/math_calls.h"
#include "transforms/reciprocal_roots.h"
#include "transforms/shared_atomics.h"
#include "transforms/vectorise/widener.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicInst.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

bool is_element(Type* type) {
  return type->isFloatTy() || type->isDoubleTy() || type->isHalfTy() || type->isPointerTy() ||
         (type->isIntegerTy() && type->getIntegerBitWidth() <= 64);
}

bool is_widenable(Type* type) {
  auto* structure = dyn_cast<StructType>(type);
  return type->isVoidTy() || is_element(type) ||
         (structure && all_of(structure->elements(), is_element));
}

bool uses_single_memory(const Instruction& instruction, const ThreadBody& body) {
  return any_of(instruction.operands(), [&](const Use& operand) {
    if (!operand->getType()->isPointerTy()) return false;
    const Value* memory = getUnderlyingObject(operand, 0);
    return isa<AllocaInst>(memory) &&
           none_of(body.own_arrays, [&](const OwnArray& array) { return array.memory == memory; });
  });
}

const char* obstacle_in(const Instruction& instruction, const ThreadBody& body,
                        const Shapes& shapes) {
  if (isa<AllocaInst>(instruction) || uses_single_memory(instruction, body))
    return "an array of each thread's own that is large, or not made of numbers";
  if (instruction.isTerminator())
    return isa<BranchInst>(instruction) ? nullptr : "a jump that is no plain branch";
  if (auto* call = dyn_cast<CallInst>(&instruction); call && call->isInlineAsm())
    return "inline assembly";
  bool takes_struct = any_of(instruction.operands(), [&](const Use& operand) {
    return operand->getType()->isStructTy() && shapes.of(operand).is_varying();
  });
  if (takes_struct && !isa<ExtractValueInst>(instruction))
    return "a value of a type that has no vectors";
  if (!shapes.of(&instruction).is_varying()) return nullptr;
  if (isa<InsertValueInst>(instruction) || !is_widenable(instruction.getType()) ||
      (instruction.getType()->isStructTy() && !isa<CallInst, AtomicCmpXchgInst>(instruction)))
    return "a value of a type that has no vectors";
  if (auto* store = dyn_cast<StoreInst>(&instruction);
      store && !is_element(store->getValueOperand()->getType()))
    return "a value of a type that has no vectors";
  return nullptr;
}

/// Every run of linear blocks is entered from, and left to, the blocks around it only.
bool is_well_nested(const ThreadBody& body, const Shapes& shapes) {
  auto end_of_run = [&](unsigned i) {
    while (shapes.is_linear(body.order[i])) ++i;
    return i;
  };
  if (shapes.is_linear(body.last)) return false;
  for (unsigned i = 0; i < body.order.size(); ++i) {
    BasicBlock* block = body.order[i];
    bool is_linear = shapes.is_linear(block);
    if (block == body.last || (!is_linear && !shapes.is_divergent(*block))) continue;
    unsigned begin = i;
    if (!is_linear) {
      begin = ~0u;
      for (BasicBlock* next : successors(block))
        if (shapes.is_linear(next)) begin = body.position.lookup(next);
      if (begin == ~0u) continue;
    }
    unsigned end = end_of_run(begin), first = begin;
    while (first > 0 && shapes.is_linear(body.order[first - 1])) --first;
    for (BasicBlock* next : successors(block)) {
      unsigned to = body.position.lookup(next);
      if (to < first || to > end) return false;
    }
  }
  return true;
}

/// Beyond this many instructions vectors cost more time to compile than they are likely to save.
constexpr unsigned size_limit = 10000;

/// Why threads take turns at `instruction`, and most of the rest is not worth a vector then.
const char* kind_of_single_work(const Instruction& instruction) {
  if (instruction.isAtomic())
    return "mostly an atomic operation, which each thread does for itself";
  if (instruction.isVolatile())
    return "mostly a volatile access, which each thread does for itself";
  if (isa<LoadInst>(instruction))
    return "mostly a load from addresses that are not neighbours (this CPU has no fast gather)";
  if (isa<StoreInst>(instruction))
    return "mostly a store to addresses that are not neighbours (this CPU has no scatter)";
  return "mostly a call that each thread does for itself";
}

/// Loads and stores of structures' members that become wide ones.
SmallPtrSet<const Instruction*, 16> joint_members(const ThreadBody& body, const Shapes& shapes) {
  SmallPtrSet<const Instruction*, 16> found;
  for (BasicBlock* block : body.order) {
    if (shapes.is_linear(block)) continue;
    for (Instruction& first : *block) {
      if (!isa<LoadInst, StoreInst>(first) || found.contains(&first)) continue;
      auto group = find_members(shapes, first);
      if (!group || (isa<StoreInst>(first) && !group->is_complete())) continue;
      for (const MemberGroup::Member& member : group->members) found.insert(member.access);
    }
  }
  return found;
}

/// The lanes take turns, for want of an instruction that does it for all.
bool takes_turns(const Instruction& instruction, const Shapes& shapes, const Vectors& vectors) {
  if (is_joint_update(shapes, instruction)) return false;
  if (instruction.isAtomic() || instruction.isVolatile()) return true;
  if (is_prefetch(instruction)) return false;
  if (auto* call = dyn_cast<CallInst>(&instruction))
    return shapes.of(call).is_varying() && !isTriviallyVectorizable(call->getIntrinsicID()) &&
           !isa<DbgInfoIntrinsic>(call) && !is_math_call(*call) && !is_reciprocal_root(*call) &&
           !is_half_conversion(*call);
  const Value* address = getLoadStorePointerOperand(&instruction);
  if (!address || shapes.of(address).is_uniform()) return false;
  auto* store = dyn_cast<StoreInst>(&instruction);
  Type* type = store ? store->getValueOperand()->getType() : instruction.getType();
  if (is_consecutive(shapes, address, type, instruction.getModule()->getDataLayout())) return false;
  constexpr unsigned narrowest = 32;  // that gathers and scatters have
  if (type->getScalarSizeInBits() < narrowest && !type->isPointerTy()) return true;
  return isa<LoadInst>(instruction) ? !vectors.gather : !vectors.scatter;
}

/// A number that each round computes from the last round's: one thread alone waits for the result
/// for longer than several lanes take turns to load for it.
bool is_chain(const Instruction& instruction, const Shapes& shapes, const LoopInfo& loops) {
  auto* phi = dyn_cast<PHINode>(&instruction);
  return phi && phi->getType()->isFloatingPointTy() && shapes.of(phi).is_varying() &&
         loops.isLoopHeader(phi->getParent());
}
constexpr double weight_of_chain = 8;

/// Lanes leave a loop around `block` one by one, and wait for the others.
bool has_waiting_lanes(const BasicBlock& block, const ThreadBody& body, const Shapes& shapes,
                       const LoopInfo& loops) {
  for (const Loop* loop = loops.getLoopFor(&block); loop != body.loop; loop = loop->getParentLoop())
    if (shapes.is_linear(loop->getHeader()) &&
        any_of(loop->blocks(), [&](const BasicBlock* one) { return shapes.is_divergent(*one); }))
      return true;
  return false;
}

/// What a vector saves where one thread alone would do little else than wait for the divider.
double weight_together(const Instruction& instruction) {
  auto* call = dyn_cast<IntrinsicInst>(&instruction);
  auto* operation = dyn_cast<BinaryOperator>(&instruction);
  const bool divides =
      instruction.getOpcode() == Instruction::FDiv ||
      (call && call->getIntrinsicID() == Intrinsic::sqrt) ||
      (operation && operation->isIntDivRem() && operation->getType()->isIntegerTy(32) &&
       !isa<Constant>(operation->getOperand(1)));
  return divides ? 8 : 1;
}

/// Of what a turn of each lane costs more than the same for one thread. An update in shared memory
/// is a load and a store then as well, and where threads read many arrays it is better that lanes
/// take turns array by array (k-means on 16 cores: 1.6 times as fast).
double share_of_turn(const Instruction& instruction) {
  return is_shared_atomic(instruction) && instruction.use_empty() ? 0.08 : 1;
}

}  // namespace

std::optional<ScalarReason> find_obstacle(const ThreadBody& body, const Shapes& shapes) {
  unsigned size = 0;
  for (BasicBlock* block : body.order) size += block->size();
  if (size > size_limit)
    return ScalarReason{source_line(*body.function),
                        "more than 10000 instructions between two barriers"};
  for (BasicBlock* block : body.order)
    for (Instruction& instruction : *block)
      if (block != body.last || !instruction.isTerminator())
        if (const char* text = obstacle_in(instruction, body, shapes))
          return ScalarReason{source_line(instruction), text};
  if (!is_well_nested(body, shapes))
    return ScalarReason{source_line(*body.function), "branches that cross each other"};
  return std::nullopt;
}

std::optional<ScalarReason> find_single_work(const ThreadBody& body, const LoopInfo& loops,
                                             const Shapes& shapes, const Vectors& vectors) {
  double single = 0, together = 0, most = 0;
  const Instruction* heaviest = nullptr;
  auto joint = joint_members(body, shapes);
  for (BasicBlock* block : body.order) {
    if (body.rests.contains(block)) continue;  // last rounds only
    double weight = 1;
    for (unsigned depth = loops.getLoopDepth(block), i = body.loop->getLoopDepth(); i < depth; ++i)
      weight *= 8;
    const double lanes_at_work = has_waiting_lanes(*block, body, shapes, loops) ? 0.5 : 1;
    for (Instruction& instruction : *block) {
      bool is_single = takes_turns(instruction, shapes, vectors) && !joint.contains(&instruction);
      (is_single ? single : together) +=
          weight *
          (is_single ? share_of_turn(instruction) : lanes_at_work * weight_together(instruction));
      if (is_chain(instruction, shapes, loops)) together += weight * weight_of_chain;
      if (is_single && weight > most) heaviest = &instruction;
      if (is_single) most = std::max(most, weight);
    }
  }
  if (together > 12 * single) return std::nullopt;
  if (!heaviest) return ScalarReason{source_line(*body.function), "hardly any work"};
  return ScalarReason{source_line(*heaviest), kind_of_single_work(*heaviest)};
}

}  // namespace gridspan::transforms
