// Choosing and copying.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/vectorise/rounds.h"

#include "transforms/shared_atomics.h"
#include "transforms/vectorise/lane_comparison.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

constexpr StringRef rounds_test = "gridspan.rounds", all_lanes_test = "gridspan.all_lanes";

bool calls(const Value* value, StringRef name) {
  auto* call = dyn_cast<CallInst>(value);
  return call && call->getCalledFunction() && call->getCalledFunction()->getName() == name;
}

FunctionCallee mark(Module& module, StringRef name, ArrayRef<Type*> parameters) {
  LLVMContext& context = module.getContext();
  auto* type = FunctionType::get(Type::getInt1Ty(context), parameters, false);
  auto attributes = AttributeList::get(context, AttributeList::FunctionIndex,
                                       AttrBuilder(context)
                                           .addMemoryAttr(MemoryEffects::none())
                                           .addAttribute(Attribute::NoUnwind)
                                           .addAttribute(Attribute::WillReturn));
  return module.getOrInsertFunction(name, type, attributes);
}

/// One way in, one way out, at its end.
bool has_plain_form(const Loop& loop) {
  BasicBlock* latch = loop.getLoopLatch();
  auto* branch = latch ? dyn_cast<BranchInst>(latch->getTerminator()) : nullptr;
  return loop.isInnermost() && loop.getLoopPreheader() && branch && branch->isConditional() &&
         loop.getExitingBlock() == latch && loop.getUniqueExitBlock() &&
         loop.getUniqueExitBlock()->getSinglePredecessor() == latch;
}

/// Can be written twice, and is small enough.
bool is_copyable(const Loop& loop) {
  constexpr unsigned most_instructions = 100;
  unsigned size = 0;
  for (const BasicBlock* block : loop.blocks())
    for (const Instruction& instruction : *block) {
      auto* call = dyn_cast<CallInst>(&instruction);
      if (isa<NoAliasScopeDeclInst, AllocaInst>(instruction) ||
          (instruction.isAtomic() && !is_shared_atomic(instruction)) ||
          (call && (call->cannotDuplicate() || call->isConvergent() || call->isInlineAsm())) ||
          !(instruction.isTerminator() ? isa<BranchInst>(instruction) : true) ||
          ++size > most_instructions)
        return false;
    }
  return true;
}

/// Its rounds under masks, or with addresses of each lane's own, are worth avoiding.
bool is_worthwhile(const Loop& loop, const Shapes& shapes) {
  auto* branch = cast<BranchInst>(loop.getLoopLatch()->getTerminator());
  bool goes_on = branch->getSuccessor(0) == loop.getHeader();
  if (!is_testable(shapes, branch->getCondition(), goes_on)) return false;
  bool accesses = false, parts = false;
  for (const BasicBlock* block : loop.blocks()) {
    parts |= shapes.is_divergent(*block);
    for (const Instruction& instruction : *block) {
      accesses |= getLoadStorePointerOperand(&instruction) != nullptr;
      parts |= isa<SExtInst, ZExtInst>(instruction) && shapes.of(&instruction).is_varying() &&
               shapes.of(instruction.getOperand(0)).kind == Shape::strided;
    }
  }
  return accesses && parts;
}

void split(Loop& loop) {
  BasicBlock *before = loop.getLoopPreheader(), *header = loop.getHeader(),
             *latch = loop.getLoopLatch(), *exit = loop.getUniqueExitBlock();
  Function* function = header->getParent();
  Module& module = *function->getParent();
  ValueToValueMapTy map;
  SmallVector<BasicBlock*> copies;
  for (BasicBlock* block : loop.blocks()) {
    BasicBlock* copy = CloneBasicBlock(block, map, ".together", function);
    copy->moveBefore(header);
    map[block] = copy;
    copies.push_back(copy);
  }
  remapInstructionsInBlocks(copies, map);
  auto copy_of = [&](Value* value) {
    Value* copy = map.lookup(value);
    return copy ? copy : value;
  };
  auto* round = cast<BasicBlock>(copy_of(header));
  before->getTerminator()->replaceSuccessorWith(header, round);
  BasicBlock* code = SplitBlock(round, round->getFirstNonPHIIt());
  auto* end = cast<BranchInst>(
      (latch == header ? code : cast<BasicBlock>(copy_of(latch)))->getTerminator());
  BasicBlock *done = BasicBlock::Create(module.getContext(), "rounds.done", function, header),
             *rest = BasicBlock::Create(module.getContext(), "rest", function, header);

  IRBuilder<> builder(end);
  Value* goes_on = end->getCondition();
  if (end->getSuccessor(0) != round) goes_on = builder.CreateNot(goes_on);
  Value* all = builder.CreateCall(mark(module, all_lanes_test, builder.getInt1Ty()), goes_on);
  builder.CreateCondBr(all, round, done);
  end->eraseFromParent();
  builder.SetInsertPoint(round->getTerminator());
  builder.CreateCondBr(builder.CreateCall(mark(module, rounds_test, {})), code, rest);
  round->getTerminator()->eraseFromParent();
  builder.SetInsertPoint(done);
  builder.CreateCondBr(goes_on, rest, exit);
  for (PHINode& phi : exit->phis())
    phi.addIncoming(copy_of(phi.getIncomingValueForBlock(latch)), done);
  builder.SetInsertPoint(rest);
  for (PHINode& phi : header->phis()) {
    PHINode* start = builder.CreatePHI(phi.getType(), 2, phi.getName() + ".rest");
    start->addIncoming(copy_of(&phi), round);
    start->addIncoming(copy_of(phi.getIncomingValueForBlock(latch)), done);
    phi.setIncomingValueForBlock(before, start);
    phi.replaceIncomingBlockWith(before, rest);
  }
  builder.CreateBr(header);
}

}  // namespace

bool is_rounds_test(const Value* value) { return calls(value, rounds_test); }
bool is_all_lanes_test(const Value* value) { return calls(value, all_lanes_test); }

const BasicBlock* rounds_around(const BasicBlock& block, const LoopInfo& loops) {
  for (const Loop* loop = loops.getLoopFor(&block); loop; loop = loop->getParentLoop()) {
    auto* branch = dyn_cast<BranchInst>(loop->getHeader()->getTerminator());
    if (branch && branch->isConditional() && is_rounds_test(branch->getCondition()))
      return loop->getHeader();
  }
  return nullptr;
}

bool split_rounds(ThreadBody& body, LoopInfo& loops, DominatorTree& dominators,
                  const Shapes& fast) {
  constexpr unsigned most_loops = 4;
  constexpr unsigned largest_body = 1000;  // what is written twice must not make it too large
  unsigned size = 0;
  for (const BasicBlock* block : body.order) size += block->size();
  if (size > largest_body) return false;
  SmallVector<Loop*> chosen;
  for (Loop* loop : loops.getLoopsInPreorder())
    if (loop != body.loop && body.loop->contains(loop) && has_plain_form(*loop) &&
        !fast.is_linear(loop->getLoopPreheader()) && is_copyable(*loop) &&
        is_worthwhile(*loop, fast) && chosen.size() < most_loops)
      chosen.push_back(loop);
  if (chosen.empty()) return false;
  for (Loop* loop : chosen) {
    for (BasicBlock* block : loop->blocks()) body.rests.insert(block);
    split(*loop);
  }
  dominators.recalculate(*body.function);
  loops.releaseMemory();
  loops.analyze(dominators);
  body.loop = loops.getLoopFor(body.header);
  order_blocks(body, dominators, loops);
  return true;
}

void drop_rounds(Function& region) {
  for (Instruction& instruction : make_early_inc_range(instructions(region))) {
    bool is_all = is_all_lanes_test(&instruction);
    if (!is_all && !is_rounds_test(&instruction)) continue;
    instruction.replaceAllUsesWith(is_all ? instruction.getOperand(0)
                                          : ConstantInt::getFalse(region.getContext()));
    instruction.eraseFromParent();
  }
}

}  // namespace gridspan::transforms
