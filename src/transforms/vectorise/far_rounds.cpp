// Recognises the loop's counter in an address.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/vectorise/far_rounds.h"

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

Value* far_step(const LoadInst& load, const ThreadBody& body, const LoopInfo& loops) {
  const Loop* loop = loops.getLoopFor(load.getParent());
  auto* address = dyn_cast<GetElementPtrInst>(load.getPointerOperand());
  if (loop == body.loop || !loop->getLoopLatch() || !address || address->getNumIndices() != 1 ||
      address->getResultElementType() != load.getType())
    return nullptr;
  const Value* counter = address->getOperand(1);
  if (auto* cast = dyn_cast<CastInst>(counter)) counter = cast->getOperand(0);
  auto* phi = dyn_cast<PHINode>(counter);
  if (!phi || phi->getParent() != loop->getHeader()) return nullptr;
  Value* step;
  const Value* next = phi->getIncomingValueForBlock(loop->getLoopLatch());
  const bool is_step = match(next, m_c_Add(m_Specific(phi), m_Value(step))) &&
                       loop->isLoopInvariant(step) && is_far(*step, load);
  return is_step ? step : nullptr;
}

}  // namespace gridspan::transforms
