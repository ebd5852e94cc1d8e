// Finding and ordering.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/vectorise/thread_body.h"

#include "transforms/parallel_loop.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

Loop* find_thread_loop(LoopInfo& loops) {
  for (Loop* loop : loops.getLoopsInPreorder())
    if (findOptionMDForLoop(loop, thread_loop_mark)) return loop;
  return nullptr;
}

/// Orders the blocks of one loop: its parts are single blocks and inner loops, taken whole.
class Orderer {
 public:
  Orderer(LoopInfo& loops, ThreadBody& body) : loops_(loops), body_(body) {}

  void order(Loop& scope, BasicBlock& entry) {
    SmallVector<BasicBlock*> parts;  // each by its first block, last part first
    SmallPtrSet<BasicBlock*, 16> seen;
    visit(scope, entry, seen, parts);
    for (BasicBlock* part : reverse(parts)) {
      if (Loop* inner = inner_loop(scope, *part))
        order(*inner, *part);
      else
        body_.order.push_back(part);
    }
  }

 private:
  /// The loop directly inside `scope` that `block` lies in; null: none.
  Loop* inner_loop(Loop& scope, BasicBlock& block) {
    Loop* loop = loops_.getLoopFor(&block);
    if (loop == &scope) return nullptr;
    while (loop->getParentLoop() != &scope) loop = loop->getParentLoop();
    return loop;
  }

  void visit(Loop& scope, BasicBlock& block, SmallPtrSet<BasicBlock*, 16>& seen,
             SmallVector<BasicBlock*>& parts) {
    if (!seen.insert(&block).second) return;
    SmallVector<BasicBlock*, 4> next;
    if (Loop* inner = inner_loop(scope, block))
      inner->getExitBlocks(next);
    else
      append_range(next, successors(&block));
    for (BasicBlock* successor : next)
      if (scope.contains(successor) && successor != scope.getHeader())
        visit(scope, *successor, seen, parts);
    parts.push_back(&block);
  }

  LoopInfo& loops_;
  ThreadBody& body_;
};

void close_loops(Loop& thread_loop, DominatorTree& dominators, LoopInfo& loops) {
  for (Loop* inner : thread_loop.getSubLoops())
    simplifyLoop(inner, &dominators, &loops, nullptr, nullptr, nullptr, false);
  for (Loop* inner : thread_loop.getSubLoops())
    formLCSSARecursively(*inner, dominators, &loops, nullptr);
}

/// The bound of `index` if the loop is `do { } while (index + 1 < bound)`.
Value* bound_of(const Loop& loop, const PHINode& index) {
  auto* branch = dyn_cast<BranchInst>(loop.getLoopLatch()->getTerminator());
  if (!branch || !branch->isConditional()) return nullptr;
  auto* test = dyn_cast<ICmpInst>(branch->getCondition());
  if (!test) return nullptr;
  Value* next = index.getIncomingValueForBlock(loop.getLoopLatch());
  Value *left = test->getOperand(0), *right = test->getOperand(1);
  ICmpInst::Predicate predicate = test->getPredicate();
  if (branch->getSuccessor(0) != loop.getHeader())
    predicate = ICmpInst::getInversePredicate(predicate);
  if (right == next) {
    std::swap(left, right);
    predicate = ICmpInst::getSwappedPredicate(predicate);
  }
  bool counts = loop.isLoopInvariant(right) &&
                (predicate == ICmpInst::ICMP_ULT || predicate == ICmpInst::ICMP_NE);
  if (counts && left == next) return right;
  // index < 31 is how index + 1 < 32 reads by now.
  auto* last = dyn_cast<ConstantInt>(right);
  if (counts && left == &index && last && !last->isMinusOne())
    return ConstantInt::get(last->getType(), last->getValue() + 1);
  return nullptr;
}

/// As where the last thread's store to an address all share has moved behind the loop.
bool is_used_outside(const Loop& loop) {
  return any_of(loop.blocks(), [&](const BasicBlock* block) {
    return any_of(*block, [&](const Instruction& instruction) {
      return any_of(instruction.users(),
                    [&](const User* user) { return !loop.contains(cast<Instruction>(user)); });
    });
  });
}

bool counts_from_zero(const Loop& loop, PHINode& index) {
  auto* start = dyn_cast<ConstantInt>(index.getIncomingValueForBlock(loop.getLoopPreheader()));
  auto* next = dyn_cast<BinaryOperator>(index.getIncomingValueForBlock(loop.getLoopLatch()));
  if (!start || !start->isZero() || !next || next->getOpcode() != Instruction::Add) return false;
  auto* step = dyn_cast<ConstantInt>(next->getOperand(1));
  return next->getOperand(0) == &index && step && step->isOne();
}

/// All that the last block does is to count.
void write_guard(ThreadBody& body, DominatorTree& dominators, LoopInfo& loops) {
  body.first = SplitBlock(body.header, body.index->getNextNode(), &dominators, &loops);
  BasicBlock* latch = body.last == body.header ? body.first : body.last;
  body.last = SplitBlock(latch, latch->getTerminator(), &dominators, &loops);
  IRBuilder<> builder(body.last->getTerminator());
  Value* next =
      builder.CreateAdd(body.index, ConstantInt::get(body.index->getType(), 1), "", true, true);
  auto* round = cast<BranchInst>(body.last->getTerminator());
  if (round->getSuccessor(0) != body.header) round->swapSuccessors();
  round->setCondition(builder.CreateICmpULT(next, body.count));
  body.index->setIncomingValueForBlock(body.last, next);

  BasicBlock* code = SplitBlock(body.first, body.first->begin(), &dominators, &loops);
  Instruction* end = body.first->getTerminator();
  builder.SetInsertPoint(end);
  body.guard = builder.CreateCondBr(builder.CreateICmpULT(body.index, body.count), code, body.last);
  end->eraseFromParent();
  dominators.insertEdge(body.first, body.last);
}

}  // namespace

std::variant<ThreadBody, ScalarReason> find_thread_body(Function& region, DominatorTree& dominators,
                                                        LoopInfo& loops) {
  auto refuse = [&](const char* text) { return ScalarReason{source_line(region), text}; };
  Loop* loop = find_thread_loop(loops);
  if (!loop) return refuse("private memory whose address is passed on");
  simplifyLoop(loop, &dominators, &loops, nullptr, nullptr, nullptr, false);
  ReversePostOrderTraversal<Function*> traversal(&region);
  if (containsIrreducibleCFG<const BasicBlock*>(traversal, loops))
    return refuse("jumps into a loop");
  ThreadBody body;
  body.function = &region;
  body.loop = loop;
  body.preheader = loop->getLoopPreheader();
  body.header = loop->getHeader();
  body.last = loop->getLoopLatch();
  body.exit = loop->getExitBlock();
  if (!body.preheader || !body.last || !body.exit || loop->getExitingBlock() != body.last)
    return refuse("a thread does not always come to the region's end");
  auto phis = body.header->phis();
  if (std::distance(phis.begin(), phis.end()) != 1 || !body.exit->phis().empty() ||
      is_used_outside(*loop))
    return refuse("the loop over threads carries values");
  body.index = &*phis.begin();
  body.count = bound_of(*loop, *body.index);
  if (!body.count || !counts_from_zero(*loop, *body.index))
    return refuse("the loop over threads does not count them");
  write_guard(body, dominators, loops);
  order_blocks(body, dominators, loops);
  return body;
}

void order_blocks(ThreadBody& body, DominatorTree& dominators, LoopInfo& loops) {
  close_loops(*body.loop, dominators, loops);
  body.order.clear();
  body.position.clear();
  Orderer(loops, body).order(*body.loop, *body.first);
  for (unsigned i = 0; i < body.order.size(); ++i) body.position[body.order[i]] = i;
}

}  // namespace gridspan::transforms
