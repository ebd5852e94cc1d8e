// Recognises the loop's counter in an address.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/vectorise/far_rounds.h"

#include "llvm/IR/PatternMatch.h"

namespace gridspan::transforms {

using namespace llvm;
using namespace llvm::PatternMatch;

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
  bool is_far = match(next, m_c_Add(m_Specific(phi), m_Value(step))) && !isa<Constant>(step) &&
                loop->isLoopInvariant(step);
  return is_far ? step : nullptr;
}

}  // namespace gridspan::transforms
