// Recognising the loop over threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/counted_loop.h"

#include "transforms/parallel_loop.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace gridspan::transforms {

using namespace llvm;
using namespace llvm::PatternMatch;

bool CountedLoop::is_index(const Value* value) const {
  const APInt* mask;
  auto* most = dyn_cast<ConstantInt>(bound());
  return value == index || (most && match(value, m_And(m_Specific(index), m_APInt(mask))) &&
                            mask->isMask() && (most->getValue() - 1).ule(*mask));
}

void move_index(const CountedLoop& counted, Value* by) {
  auto* next =
      cast<Instruction>(counted.index->getIncomingValueForBlock(counted.loop->getLoopLatch()));
  const auto shift = [&](Instruction* number, BasicBlock* block, BasicBlock::iterator where) {
    IRBuilder<> builder(block, where);
    auto* shifted = cast<Instruction>(builder.CreateAdd(number, by, "", true, true));
    number->replaceUsesWithIf(shifted, [&](Use& use) {
      const User* user = use.getUser();
      return user != shifted && user != next && user != counted.index && user != counted.test;
    });
    if (shifted->use_empty()) shifted->eraseFromParent();
  };
  shift(next, next->getParent(), std::next(next->getIterator()));
  BasicBlock* header = counted.loop->getHeader();
  shift(counted.index, header, header->getFirstInsertionPt());
}

std::optional<CountedLoop> find_counted_loop(LoopInfo& loops) {
  for (Loop* loop : loops.getLoopsInPreorder()) {
    if (!findOptionMDForLoop(loop, thread_loop_mark)) continue;
    BasicBlock *latch = loop->getLoopLatch(), *header = loop->getHeader();
    if (!loop->getLoopPreheader() || !latch || loop->getExitingBlock() != latch ||
        !loop->getExitBlock()->phis().empty())
      return std::nullopt;
    auto phis = header->phis();
    if (std::distance(phis.begin(), phis.end()) != 1) return std::nullopt;
    PHINode* index = &*phis.begin();
    auto* branch = dyn_cast<BranchInst>(latch->getTerminator());
    if (!branch || !branch->isConditional()) return std::nullopt;
    auto* test = dyn_cast<ICmpInst>(branch->getCondition());
    if (!test || !test->hasOneUse() || branch->getSuccessor(0) != header ||
        !index->getType()->isIntegerTy(32) ||
        !match(index->getIncomingValueForBlock(loop->getLoopPreheader()), m_Zero()))
      return std::nullopt;
    Value* next = index->getIncomingValueForBlock(latch);
    if (!match(next, m_Add(m_Specific(index), m_One()))) return std::nullopt;
    // index < 31 is how index + 1 < 32 reads by now.
    if (auto* last = dyn_cast<ConstantInt>(test->getOperand(1));
        last && !last->isMinusOne() && test->getOperand(0) == index) {
      test->setOperand(0, next);
      test->setOperand(1, ConstantInt::get(last->getType(), last->getValue() + 1));
    }
    bool is_left = test->getOperand(0) == next;
    auto predicate = is_left ? test->getPredicate() : test->getSwappedPredicate();
    if (predicate != ICmpInst::ICMP_ULT || test->getOperand(is_left ? 0 : 1) != next ||
        !loop->isLoopInvariant(test->getOperand(is_left ? 1 : 0)))
      return std::nullopt;
    return CountedLoop{loop, index, test, is_left ? 1u : 0u};
  }
  return std::nullopt;
}

}  // namespace gridspan::transforms
