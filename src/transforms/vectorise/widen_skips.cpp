// Blocks are passed over where no lane wants them, if asking for that is worth a jump.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/vectorise/masks.h"
#include "transforms/vectorise/widener.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"

namespace gridspan::transforms {

using namespace llvm;

/// Goes to the block's code if any lane wants it; a loop that none wants is passed as a whole.
void Widener::enter_linear(BasicBlock& block) {
  Place place = places_.lookup(&block);
  builder_.SetInsertPoint(place.entry);
  mask_ = builder_.CreateLoad(mask_type_, masks_.lookup(&block), block.getName() + ".mask");
  BasicBlock* otherwise = place.onward;
  Loop* loop = loops_.getLoopFor(&block);
  bool is_header = loop != body_.loop && loop->getHeader() == &block;
  if (is_header) otherwise = behind(*loop);
  if (is_header || deserves_test(block))
    builder_.CreateCondBr(any_lane(builder_, mask_, loop_.lanes), place.code, otherwise);
  else
    builder_.CreateBr(place.code);
}

/// Stores to where its only predecessor has loaded from, and does nothing else: under a mask that
/// costs less than a jump that is hard to foresee.
bool Widener::only_updates(const BasicBlock& block) const {
  constexpr unsigned fast_lanes = 16, most_instructions = 8;  // see write_masked_store
  const BasicBlock* before = block.getSinglePredecessor();
  if (loop_.lanes < fast_lanes || block.size() > most_instructions || !before) return false;
  unsigned stores = 0;
  for (const Instruction& instruction : block) {
    auto* store = dyn_cast<StoreInst>(&instruction);
    if (!store && (instruction.mayReadOrWriteMemory() || isa<CallInst>(instruction))) return false;
    if (!store) continue;
    const Value* address = store->getPointerOperand();
    bool is_known = any_of(address->users(), [&](const User* user) {
      return isa<LoadInst>(user) && cast<LoadInst>(user)->getParent() == before;
    });
    if (!store->isSimple() || !is_known || ++stores > 1 ||
        !is_consecutive(shapes_, address, store->getValueOperand()->getType(),
                        body_.function->getDataLayout()))
      return false;
  }
  return stores == 1;
}

/// What must not happen for nobody: memory accesses, calls, a division of uniform values by zero.
/// Other tests cost little, but long chains of them stand in each other's way.
bool Widener::deserves_test(const BasicBlock& block) const {
  if (only_updates(block)) return false;
  return block.size() > 8 || any_of(block, [](const Instruction& instruction) {
           return instruction.mayReadOrWriteMemory() ||
                  (isa<CallInst>(instruction) && !isa<IntrinsicInst>(instruction)) ||
                  (instruction.isIntDivRem() && !isSafeToSpeculativelyExecute(&instruction));
         });
}

}  // namespace gridspan::transforms
