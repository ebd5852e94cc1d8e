// Takes the loop out of the kernel, and writes it again around a row of threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/grid_rounds.h"

#include "transforms/context.h"
#include "transforms/grid_loop.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

/// iN @gridspan_grid_round(iN start, iN end, iN step, i1 is_signed): what `start` grows by until
/// this round.
constexpr StringRef round_marker = "gridspan_grid_round";

/// Can be computed again whenever it is wanted.
bool is_plain(const Instruction& instruction) {
  if (instruction.isTerminator()) return isa<BranchInst, ReturnInst>(instruction);
  if (isa<PHINode, AllocaInst>(instruction)) return false;
  if (special_register(&instruction).group != SpecialRegister::none) return true;
  return !instruction.mayReadOrWriteMemory() && !instruction.mayHaveSideEffects() &&
         !isa<CallBase>(instruction);
}

/// Of a kernel that does nothing else.
class GridLoopFinder {
 public:
  explicit GridLoopFinder(Function& kernel)
      : kernel_(kernel), dominators_(kernel), loops_(dominators_) {}

  std::optional<GridLoop> find() {
    if (std::distance(loops_.begin(), loops_.end()) != 1) return std::nullopt;
    Loop& loop = **loops_.begin();
    auto phis = loop.getHeader()->phis();
    const auto found = as_grid_loop(loop);
    if (!found || std::distance(phis.begin(), phis.end()) != 1 ||
        !loop.getExitBlock()->phis().empty() || is_used_behind(loop) ||
        !surrounds_nothing_else(*found))
      return std::nullopt;
    return found;
  }

 private:
  static bool is_used_behind(const Loop& loop) {
    return any_of(loop.blocks(), [&](const BasicBlock* block) {
      return any_of(*block, [&](const Instruction& one) {
        return any_of(one.users(), [&](const User* user) {
          return !loop.contains(cast<Instruction>(user)->getParent());
        });
      });
    });
  }

  /// What is around the loop can be computed in each round, and so can what its head does before it
  /// asks: that runs once more than the rest. No other branch is there.
  bool surrounds_nothing_else(const GridLoop& found) {
    const BasicBlock* head = found.tests_first ? found.loop->getHeader() : nullptr;
    return all_of(kernel_, [&](BasicBlock& block) {
      if (found.loop->contains(&block) && &block != head) return true;
      const auto* branch = dyn_cast<BranchInst>(block.getTerminator());
      const bool decides = branch && branch->isConditional() && &block != head;
      return all_of(block,
                    [&](const Instruction& one) { return &one == found.index || is_plain(one); }) &&
             (!decides || branch == found.guard);
    });
  }

  Function& kernel_;
  DominatorTree dominators_;
  LoopInfo loops_;
};

bool is_round_marker(const Instruction& instruction) {
  auto* call = dyn_cast<CallInst>(&instruction);
  const Function* called = call ? call->getCalledFunction() : nullptr;
  return called && called->getName().starts_with(round_marker);
}

CallInst* call_marker(IRBuilder<>& builder, const GridLoop& found) {
  Module& module = *builder.GetInsertBlock()->getModule();
  Type* type = found.index->getType();
  auto* signature = FunctionType::get(type, {type, type, type, builder.getInt1Ty()}, false);
  const std::string name = (round_marker + (type->isIntegerTy(32) ? "_i32" : "_i64")).str();
  FunctionCallee marker = module.getOrInsertFunction(name, signature);
  return builder.CreateCall(
      marker, {found.start, found.end, found.step, builder.getInt1(found.is_signed)}, "round");
}

}  // namespace

bool has_grid_rounds(Function& kernel) { return GridLoopFinder(kernel).find().has_value(); }

bool take_out_grid_rounds(Function& kernel) {
  GridLoopFinder finder(kernel);
  const auto found = finder.find();
  if (!found) return false;
  BasicBlock *header = found->loop->getHeader(), *exit = found->loop->getExitBlock(),
             *preheader = found->loop->getLoopPreheader(), *latch = found->loop->getLoopLatch();
  IRBuilder<> builder(header, header->getFirstInsertionPt());
  Value* index = builder.CreateAdd(found->start, call_marker(builder, *found), "index");
  if (!found->tests_first) {
    auto* test = cast<Instruction>(write_less(builder, found->is_signed, index, found->end));
    BasicBlock* body = header->splitBasicBlock(test->getNextNode(), "round");
    if (latch == header) latch = body;
    header->getTerminator()->eraseFromParent();
    BranchInst::Create(body, exit, test, header);
    BranchInst::Create(preheader, found->guard);
    found->guard->eraseFromParent();
  }
  found->index->replaceAllUsesWith(index);
  found->index->eraseFromParent();
  latch->getTerminator()->eraseFromParent();
  BranchInst::Create(exit, latch);
  return true;
}

bool is_grid_round(const Function& kernel) { return any_of(instructions(kernel), is_round_marker); }

void write_grid_rounds(RegionWriter& region, Function& ordinary) {
  Function& function = region.function();
  CallInst* marker = nullptr;
  for (Instruction& one : instructions(function))
    if (is_round_marker(one)) marker = cast<CallInst>(&one);
  const ThreadLoop& loop = region.loop();
  LLVMContext& context = function.getContext();
  auto* back = cast<BranchInst>(loop.latch->getTerminator());
  BasicBlock *behind = back->getSuccessor(1), *row = nullptr;
  for (BasicBlock* from : predecessors(loop.body))
    if (from != loop.latch) row = from;
  Value* run = cast<ICmpInst>(back->getCondition())->getOperand(1);
  BasicBlock *rounds = BasicBlock::Create(context, "rounds", &function, loop.body),
             *others = BasicBlock::Create(context, "one_by_one", &function, behind),
             *next_round = BasicBlock::Create(context, "next_round", &function, behind);

  const DominatorTree dominators(function);
  row->getTerminator()->eraseFromParent();
  IRBuilder<> builder(row);
  ForOneThread of_first(builder, dominators), of_last(builder, dominators);
  of_first.set(*loop.index, builder.getInt32(0));
  of_last.set(*loop.index, builder.CreateSub(run, builder.getInt32(1)));
  const bool is_signed = cast<ConstantInt>(marker->getArgOperand(3))->isOne();
  Value* first = of_first(marker->getArgOperand(0));
  Value* end = of_first(marker->getArgOperand(1));
  Value* step = of_first(marker->getArgOperand(2));
  Value* thread = of_first(region.linear());
  Value* is_plain_row =
      nothing_wraps(builder, {first, of_last(marker->getArgOperand(0)), end, step, run, is_signed});
  builder.CreateCondBr(is_plain_row, rounds, others);

  builder.SetInsertPoint(rounds);
  PHINode* round = builder.CreatePHI(marker->getType(), 2, "round");
  round->addIncoming(ConstantInt::get(marker->getType(), 0), row);
  builder.CreateBr(loop.body);
  loop.body->replacePhiUsesWith(row, rounds);

  back->setSuccessor(1, next_round);
  builder.SetInsertPoint(next_round);
  Value* following = builder.CreateAdd(round, step);
  round->addIncoming(following, next_round);
  const auto less =
      cast<ConstantInt>(marker->getArgOperand(3))->isOne() ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT;
  builder.CreateCondBr(builder.CreateICmp(less, builder.CreateAdd(first, following), end), rounds,
                       behind);

  builder.SetInsertPoint(others);
  CallInst* call =
      builder.CreateCall(&ordinary, {function.getArg(0), thread, builder.CreateAdd(thread, run)});
  if (DISubprogram* here = function.getSubprogram())
    call->setDebugLoc(DILocation::get(context, here->getLine(), 0, here));
  builder.CreateBr(behind);

  marker->replaceAllUsesWith(round);
  marker->eraseFromParent();
}

}  // namespace gridspan::transforms
