// Compares the expressions that a phi joins, and writes one of them behind it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/agreeing_phis.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

constexpr unsigned deepest = 4;

/// What may be computed again anywhere.
bool is_pure(const Instruction& instruction) {
  return isa<BinaryOperator, CastInst, GetElementPtrInst, CmpInst, SelectInst>(instruction) &&
         isSafeToSpeculativelyExecute(&instruction);
}

class Agreement {
 public:
  Agreement(const DominatorTree& dominators, PHINode& phi)
      : dominators_(dominators), phi_(phi), where_(phi.getParent()->getFirstInsertionPt()) {}

  /// The same operations on the same values, all of which are there at the phi.
  bool agree(const Value* one, const Value* other, unsigned depth = 0) const {
    if (one == other && is_there(one)) return true;
    auto *a = dyn_cast<Instruction>(one), *b = dyn_cast<Instruction>(other);
    if (!a || !b || depth >= deepest || !is_pure(*a) || !a->isSameOperationAs(b)) return false;
    for (auto [left, right] : zip(a->operands(), b->operands()))
      if (!agree(left, right, depth + 1)) return false;
    return true;
  }

  /// `one`, which agrees with `others`, computed at the phi; promises are those all of them make.
  Value* write(Value* one, ArrayRef<Value*> others) const {
    if (is_there(one) && all_of(others, [&](Value* other) { return other == one; })) return one;
    auto* from = cast<Instruction>(one);
    Instruction* copy = from->clone();
    for (unsigned i = 0; i < copy->getNumOperands(); ++i) {
      SmallVector<Value*> same;
      for (Value* other : others) same.push_back(cast<Instruction>(other)->getOperand(i));
      copy->setOperand(i, write(from->getOperand(i), same));
    }
    for (Value* other : others) copy->andIRFlags(other);
    copy->dropUnknownNonDebugMetadata();
    copy->setDebugLoc(phi_.getDebugLoc());
    copy->insertBefore(*phi_.getParent(), where_);
    return copy;
  }

 private:
  bool is_there(const Value* value) const {
    auto* instruction = dyn_cast<Instruction>(value);
    return !instruction || (instruction->getParent() != phi_.getParent() &&
                            dominators_.dominates(instruction->getParent(), phi_.getParent()));
  }

  const DominatorTree& dominators_;
  PHINode& phi_;
  BasicBlock::iterator where_;
};

}  // namespace

bool replace_agreeing_phis(Function& function) {
  const DominatorTree dominators(function);
  SmallVector<Instruction*> unused;
  for (BasicBlock* block : ReversePostOrderTraversal<Function*>(&function))
    for (PHINode& phi : block->phis()) {
      if (phi.getNumIncomingValues() < 2) continue;
      const Agreement agreement(dominators, phi);
      SmallVector<Value*> others(drop_begin(phi.incoming_values()));
      Value* first = phi.getIncomingValue(0);
      if (!all_of(others, [&](Value* other) { return agreement.agree(first, other); })) continue;
      phi.replaceAllUsesWith(agreement.write(first, others));
      unused.push_back(&phi);
    }
  for (Instruction* phi : unused) RecursivelyDeleteTriviallyDeadInstructions(phi);
  return !unused.empty();
}

}  // namespace gridspan::transforms
