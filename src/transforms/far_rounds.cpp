// Recognises the loop's counter in an address.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/far_rounds.h"

#include "llvm/IR/PatternMatch.h"

namespace gridspan::transforms {

using namespace llvm;
using namespace llvm::PatternMatch;

/// A constant step is far where a page is left after few rounds.
static bool is_far(const Value& step, const LoadInst& load) {
  constexpr std::uint64_t far_bytes = 512;
  auto* number = dyn_cast<Constant>(&step);
  if (!number) return true;
  const APInt* elements;
  if (!match(number, m_APInt(elements)) || !elements->isStrictlyPositive()) return false;
  const DataLayout& layout = load.getDataLayout();
  return elements->getLimitedValue() >=
         far_bytes / layout.getTypeAllocSize(load.getType()).getFixedValue();
}

/// What the loop's counter grows by with each round; null: it is none.
static Value* step_of_phi(const Value* counter, const Loop& loop) {
  auto* phi = dyn_cast<PHINode>(counter);
  if (!phi || phi->getParent() != loop.getHeader()) return nullptr;
  Value* step;
  const Value* next = phi->getIncomingValueForBlock(loop.getLoopLatch());
  const bool is_step =
      match(next, m_c_Add(m_Specific(phi), m_Value(step))) && loop.isLoopInvariant(step);
  return is_step ? step : nullptr;
}

/// The subscript of an element of an array in a loop that is none over threads; null: there is
/// none.
static const Value* subscript_of(const LoadInst& load, const Loop* loop, const Loop* threads) {
  auto* address = dyn_cast<GetElementPtrInst>(load.getPointerOperand());
  if (!loop || loop == threads || !loop->getLoopLatch() || !address ||
      address->getNumIndices() != 1 || address->getResultElementType() != load.getType())
    return nullptr;
  const Value* subscript = address->getOperand(1);
  auto* cast = dyn_cast<CastInst>(subscript);
  return cast ? cast->getOperand(0) : subscript;
}

Value* far_step(const LoadInst& load, const LoopInfo& loops, const Loop* threads) {
  const Loop* loop = loops.getLoopFor(load.getParent());
  const Value* subscript = subscript_of(load, loop, threads);
  Value* step = subscript ? step_of_phi(subscript, *loop) : nullptr;
  return step && is_far(*step, load) ? step : nullptr;
}

Value* far_end(const LoadInst& load, const LoopInfo& loops, const Loop* threads) {
  const Loop* loop = loops.getLoopFor(load.getParent());
  const Value* subscript = subscript_of(load, loop, threads);
  if (!subscript || !step_of_phi(subscript, *loop)) return nullptr;
  const Value* next = cast<PHINode>(subscript)->getIncomingValueForBlock(loop->getLoopLatch());
  SmallVector<BasicBlock*> exiting;
  loop->getExitingBlocks(exiting);
  for (const BasicBlock* block : exiting) {
    auto* branch = dyn_cast<BranchInst>(block->getTerminator());
    if (!branch || !branch->isConditional()) continue;
    const Value* condition = branch->getCondition();
    // Of all lanes (vectorise/rounds.h).
    if (auto* call = dyn_cast<CallInst>(condition); call && call->arg_size() == 1)
      condition = call->getArgOperand(0);
    Value *left, *right;
    if (!match(condition, m_ICmp(m_Value(left), m_Value(right)))) continue;
    for (const auto [counter, end] : {std::pair(left, right), std::pair(right, left)})
      if ((counter == subscript || counter == next) && loop->isLoopInvariant(end)) return end;
  }
  return nullptr;
}

bool is_far_round(const LoadInst& load, const LoopInfo& loops, const Loop* threads) {
  const Loop* loop = loops.getLoopFor(load.getParent());
  const Value* subscript = subscript_of(load, loop, threads);
  if (!subscript) return false;
  Value *round, *step;
  if (!match(subscript, m_Mul(m_Value(round), m_Value(step))))
    return far_step(load, loops, threads) != nullptr;
  if (loop->isLoopInvariant(round)) std::swap(round, step);
  Value* one = step_of_phi(round, *loop);
  return one && match(one, m_One()) && loop->isLoopInvariant(step) && is_far(*step, load);
}

}  // namespace gridspan::transforms
