// Subscripts of 32 bits that cannot wrap.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/widen_subscripts.h"

#include "transforms/function_analyses.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

class SubscriptWidener {
 public:
  explicit SubscriptWidener(Function& kernel)
      : kernel_(kernel),
        analyses_(kernel),
        expander_(evolution_, kernel.getParent()->getDataLayout(), "subscript") {}

  bool run() {
    SmallVector<Instruction*> accesses;
    for (Instruction& instruction : instructions(kernel_))
      if (getLoadStorePointerOperand(&instruction)) accesses.push_back(&instruction);
    bool changed = false;
    for (Instruction* access : accesses) changed |= widen(*access);
    return changed;
  }

 private:
  bool widen(Instruction& access) {
    const Loop* loop = loops_.getLoopFor(access.getParent());
    if (!loop || !loop->getLoopLatch() || !loop->getLoopPreheader() ||
        !dominators_.dominates(access.getParent(), loop->getLoopLatch()))
      return false;
    auto* address = dyn_cast<GetElementPtrInst>(getLoadStorePointerOperand(&access));
    if (!address || address->getNumIndices() != 1 || !loop->contains(address)) return false;
    auto* array = dyn_cast<Argument>(getUnderlyingObject(address, 0));
    if (!array || array->hasByValAttr() || !loop->isLoopInvariant(address->getPointerOperand()))
      return false;
    auto* subscript = dyn_cast<CastInst>(address->getOperand(1));
    if (!subscript || !isa<ZExtInst, SExtInst>(subscript) ||
        !subscript->getOperand(0)->getType()->isIntegerTy(32))
      return false;
    if (isa<SCEVAddRecExpr>(evolution_.getSCEV(subscript))) return false;  // known already
    auto* narrow = dyn_cast<SCEVAddRecExpr>(evolution_.getSCEV(subscript->getOperand(0)));
    if (!narrow || narrow->getLoop() != loop || !narrow->isAffine()) return false;
    Type* wide = subscript->getType();
    const SCEV* start = isa<ZExtInst>(subscript)
                            ? evolution_.getZeroExtendExpr(narrow->getStart(), wide)
                            : evolution_.getSignExtendExpr(narrow->getStart(), wide);
    const SCEV* step = evolution_.getSignExtendExpr(narrow->getStepRecurrence(evolution_), wide);
    const SCEV* whole = evolution_.getAddRecExpr(start, step, loop, SCEV::FlagNW);
    if (!expander_.isSafeToExpandAt(whole, address)) return false;
    Value* made = expander_.expandCodeFor(whole, wide, address->getIterator());
    address->setOperand(1, made);
    evolution_.forgetValue(address);
    return true;
  }

  Function& kernel_;
  FunctionAnalyses analyses_;
  DominatorTree& dominators_ = analyses_.dominators;
  LoopInfo& loops_ = analyses_.loops;
  ScalarEvolution& evolution_ = analyses_.evolution;
  SCEVExpander expander_;
};

}  // namespace

bool widen_subscripts(Function& kernel) { return SubscriptWidener(kernel).run(); }

}  // namespace gridspan::transforms
