// Conditions of departures again, or the note of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/block_function/presence.h"

#include "transforms/live_values.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/IR/IRBuilder.h"

namespace gridspan::transforms {

using namespace llvm;

void keep_notes(const EarlyReturns& returns) {
  AllocaInst& there = *returns.there;
  Instruction* first = there.getNextNode();
  auto* set = dyn_cast<StoreInst>(first);
  if (set && set->getPointerOperand() == &there) return;
  IRBuilder<> builder(first);
  builder.CreateStore(builder.getInt8(1), &there);
}

Instruction* write_presence(BasicBlock& block, const EarlyReturns& returns,
                            const DominatorTree& dominators, const LoopInfo& loops) {
  SmallVector<const Departure*> passed;
  for (const Departure& one : returns.departures)
    if (isPotentiallyReachable(one.continuation, &block, nullptr, &dominators, &loops))
      passed.push_back(&one);
  if (passed.empty()) return nullptr;
  IRBuilder<> builder(&block, block.getFirstInsertionPt());
  bool is_arithmetic = all_of(passed, [&](const Departure* one) {
    return dominators.dominates(one->continuation, &block) &&
           !loops.getLoopFor(one->continuation) && is_repeatable(one->stays);
  });
  if (is_arithmetic) {
    Value* all = nullptr;
    for (const Departure* one : passed) {
      Value* stays = repeat_value(one->stays, builder);
      all = all ? builder.CreateLogicalAnd(all, stays) : stays;
    }
    if (auto* made = dyn_cast<Instruction>(all)) return made;
  }
  keep_notes(returns);
  Value* there = builder.CreateLoad(builder.getInt8Ty(), returns.there, "there");
  return cast<Instruction>(builder.CreateICmpNE(there, builder.getInt8(0)));
}

}  // namespace gridspan::transforms
