// Recognises the pattern.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/vectorise/write_back.h"

#include "transforms/vectorise/widener.h"

namespace gridspan::transforms {

using namespace llvm;

/// A comparison of what the store would write with what is there.
static LoadInst* compared_load(const CmpInst& comparison, const StoreInst& store) {
  if (!comparison.isRelational()) return nullptr;
  for (unsigned i = 0; i < 2; ++i) {
    auto* load = dyn_cast<LoadInst>(comparison.getOperand(i));
    if (load && load->isSimple() && comparison.getOperand(1 - i) == store.getValueOperand() &&
        load->getPointerOperand() == store.getPointerOperand())
      return load;
  }
  return nullptr;
}

static bool writes_between(const Instruction& first, const BasicBlock& last_block,
                           const Instruction& last) {
  for (auto at = std::next(first.getIterator()); at != first.getParent()->end(); ++at)
    if (at->mayWriteToMemory()) return true;
  for (auto at = last_block.begin(); &*at != &last; ++at)
    if (at->mayWriteToMemory()) return true;
  return false;
}

LoadInst* written_back(const Shapes& shapes, const StoreInst& store) {
  const BasicBlock* block = store.getParent();
  const BasicBlock* before = block->getSinglePredecessor();
  auto* branch = before ? dyn_cast<BranchInst>(before->getTerminator()) : nullptr;
  if (!branch || !branch->isConditional() || !store.isSimple()) return nullptr;
  auto* comparison = dyn_cast<CmpInst>(branch->getCondition());
  LoadInst* load = comparison ? compared_load(*comparison, store) : nullptr;
  bool is_fit = load && load->getParent() == before && !shapes.is_linear(before) &&
                is_consecutive(shapes, store.getPointerOperand(), load->getType(),
                               store.getModule()->getDataLayout()) &&
                !writes_between(*load, *block, store);
  return is_fit ? load : nullptr;
}

}  // namespace gridspan::transforms
