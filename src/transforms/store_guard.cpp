// Branches above all stores.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/store_guard.h"

#include "transforms/live_values.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

namespace gridspan::transforms {

using namespace llvm;
using namespace llvm::PatternMatch;

bool take_apart(Value* condition, bool holds, Parts& parts) {
  Value *first, *second;
  if (match(condition, m_Not(m_Value(first)))) return take_apart(first, !holds, parts);
  if (holds ? match(condition, m_LogicalAnd(m_Value(first), m_Value(second)))
            : match(condition, m_LogicalOr(m_Value(first), m_Value(second))))
    return take_apart(first, holds, parts) && take_apart(second, holds, parts);
  if (!isa<ICmpInst>(condition)) return false;
  parts.push_back({condition, holds});
  return true;
}

/// What holds in `block` because of the branches on the way there.
static void add_conditions_of(const BasicBlock& block, const DominatorTree& dominators,
                              Parts& parts) {
  for (const auto* node = dominators.getNode(&block); node && node->getIDom();
       node = node->getIDom()) {
    const BasicBlock *here = node->getBlock(), *above = here->getSinglePredecessor();
    const auto* branch = above ? dyn_cast<BranchInst>(above->getTerminator()) : nullptr;
    if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
      continue;
    Parts more;
    take_apart(branch->getCondition(), branch->getSuccessor(0) == here, more);
    append_range(parts, more);
  }
}

StoreGuard::StoreGuard(Function& kernel, const DominatorTree& dominators,
                       ScalarEvolution& evolution)
    : kernel_(kernel), evolution_(evolution) {
  BasicBlock* above_all = nullptr;
  for (Instruction& instruction : instructions(kernel))
    if (auto* store = dyn_cast<StoreInst>(&instruction);
        store && isa<Argument>(getUnderlyingObject(store->getPointerOperand(), 0)))
      above_all = above_all
                      ? dominators.findNearestCommonDominator(above_all, instruction.getParent())
                      : instruction.getParent();
  if (!above_all || !kernel.mustProgress()) return;
  add_conditions_of(*above_all, dominators, parts_);
  erase_if(parts_, [](const auto& part) { return !is_repeatable(part.first); });
}

bool StoreGuard::implies(Value* condition, bool holds) const {
  auto* asked = dyn_cast<ICmpInst>(condition);
  if (!asked) return false;
  auto predicate_of = [](const ICmpInst& test, bool is_true) {
    return is_true ? test.getPredicate() : test.getInversePredicate();
  };
  auto left_of = [&](const ICmpInst& test) { return evolution_.getSCEV(test.getOperand(0)); };
  auto right_of = [&](const ICmpInst& test) { return evolution_.getSCEV(test.getOperand(1)); };
  const auto wanted = predicate_of(*asked, holds);
  return any_of(parts_, [&](const auto& part) {
    const auto& known = cast<ICmpInst>(*part.first);
    if (!evolution_.isSCEVable(known.getOperand(0)->getType()) ||
        !evolution_.isSCEVable(asked->getOperand(0)->getType()))
      return false;
    const auto has = predicate_of(known, part.second);
    return (has == wanted && left_of(known) == left_of(*asked) &&
            right_of(known) == right_of(*asked)) ||
           (ICmpInst::getSwappedPredicate(has) == wanted && left_of(known) == right_of(*asked) &&
            right_of(known) == left_of(*asked));
  });
}

void StoreGuard::hoist() {
  if (parts_.empty()) return;
  BasicBlock& entry = kernel_.getEntryBlock();
  BasicBlock* rest = entry.splitBasicBlock(entry.getFirstNonPHIOrDbgOrAlloca(), "stores");
  BasicBlock* done = BasicBlock::Create(kernel_.getContext(), "stores_nothing", &kernel_);
  ReturnInst::Create(kernel_.getContext(), done);
  IRBuilder<> builder(entry.getTerminator());
  Value* all = builder.getTrue();
  for (auto [condition, holds] : parts_) {
    Value* part = repeat_value(condition, builder);
    all = builder.CreateLogicalAnd(all, holds ? part : builder.CreateNot(part));
  }
  builder.CreateCondBr(all, rest, done);
  entry.getTerminator()->eraseFromParent();
}

}  // namespace gridspan::transforms
