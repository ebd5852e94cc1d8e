// The inner loop takes over all rounds; the outer one runs once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/flatten_loops.h"

#include "transforms/function_analyses.h"
#include "transforms/padded_rounds.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

class LoopNest {
 public:
  LoopNest(Loop& outer, ScalarEvolution& evolution)
      : outer_(outer), inner_(**outer.begin()), evolution_(evolution) {}

  bool can_be_one() {
    rounds_ = evolution_.getSmallConstantTripCount(&inner_);
    outer_rounds_ = evolution_.getBackedgeTakenCount(&outer_);
    return rounds_ > 1 && !isa<SCEVCouldNotCompute>(outer_rounds_) && has_plain_ends() &&
           has_count_before() && outer_only_counts() && goes_on_inside() && has_plain_padding();
  }

  void make_one() {
    BasicBlock* before = outer_.getLoopPreheader();
    SCEVExpander expander(evolution_, before->getModule()->getDataLayout(), "rounds");
    Type* i64 = Type::getInt64Ty(before->getContext());
    const SCEV* rounds = evolution_.getMulExpr(
        evolution_.getAddExpr(evolution_.getTruncateOrZeroExtend(outer_rounds_, i64),
                              evolution_.getOne(i64)),
        evolution_.getConstant(i64, rounds_));
    Value* all = expander.expandCodeFor(rounds, i64, before->getTerminator()->getIterator());
    if (padded_.first) {
      Value* first =
          expander.expandCodeFor(padded_.first, i64, before->getTerminator()->getIterator());
      IRBuilder<> builder(before->getTerminator());
      leave_out(padded_, inner_, builder.CreateICmpULT(first, all, "padded"));
      all = builder.CreateBinaryIntrinsic(Intrinsic::umin, first, all);
    }
    auto* end = cast<BranchInst>(inner_.getLoopLatch()->getTerminator());
    IRBuilder<> builder(&*inner_.getHeader()->begin());
    PHINode* round = builder.CreatePHI(i64, 2, "round");
    builder.SetInsertPoint(end);
    Value* next = builder.CreateAdd(round, builder.getInt64(1), "", true, true);
    round->addIncoming(builder.getInt64(0), inner_.getLoopPreheader());
    round->addIncoming(next, inner_.getLoopLatch());
    const bool stays_if = end->getSuccessor(0) == inner_.getHeader();
    end->setCondition(stays_if ? builder.CreateICmpNE(next, all) : builder.CreateICmpEQ(next, all));
    for (Instruction* one : not_as_before_) one->dropPoisonGeneratingFlags();
    auto* last = cast<BranchInst>(outer_.getLoopLatch()->getTerminator());
    last->setCondition(
        ConstantInt::getBool(before->getContext(), last->getSuccessor(0) != outer_.getHeader()));
    inner_.setLoopID(nullptr);
  }

 private:
  /// Both loops end at their latches, and nowhere else.
  bool has_plain_ends() {
    auto is_plain = [](Loop& loop) {
      BasicBlock* latch = loop.getLoopLatch();
      if (!latch || !loop.getLoopPreheader() || loop.getExitingBlock() != latch) return false;
      auto* branch = dyn_cast<BranchInst>(latch->getTerminator());
      return branch && branch->isConditional();
    };
    return is_plain(outer_) && is_plain(inner_) && outer_.getSubLoops().size() == 1 &&
           inner_.isInnermost();
  }

  /// The number of rounds can be computed where nobody knows yet whether there are any.
  bool has_count_before() {
    BasicBlock* before = outer_.getLoopPreheader();
    SCEVExpander expander(evolution_, before->getModule()->getDataLayout(), "rounds");
    return expander.isSafeToExpandAt(outer_rounds_, before->getTerminator());
  }

  /// Rounds that add nothing, if there are any, can be left out.
  bool has_plain_padding() {
    auto padded = find_padded_rounds(outer_, inner_, rounds_, sums_, evolution_);
    if (!padded) return false;
    padded_ = std::move(*padded);
    if (!padded_.first) return true;
    BasicBlock* before = outer_.getLoopPreheader();
    SCEVExpander expander(evolution_, before->getModule()->getDataLayout(), "rounds");
    return expander.isSafeToExpandAt(padded_.first, before->getTerminator());
  }

  /// Besides the inner loop: arithmetic for it, and values that pass through from round to round.
  bool outer_only_counts() {
    for (BasicBlock* block : outer_.blocks()) {
      if (inner_.contains(block)) continue;
      if (block->getTerminator()->getNumSuccessors() > 1 && block != outer_.getLoopLatch())
        return false;
      for (Instruction& instruction : *block)
        if (instruction.mayHaveSideEffects() || instruction.mayReadFromMemory()) return false;
    }
    for (PHINode& phi : outer_.getHeader()->phis())
      if (!evolution_.isSCEVable(phi.getType()) || !isa<SCEVAddRecExpr>(evolution_.getSCEV(&phi)))
        if (!passes_through(phi)) return false;
    return all_of(outer_.blocks(), [&](BasicBlock* block) {
      return inner_.contains(block) || all_of(*block, [&](Instruction& one) {
               return all_of(one.users(), [&](User* user) { return stays_inside(one, *user); });
             });
    });
  }

  /// What the outer loop computes is not asked for behind it, but for what comes from the inner.
  bool stays_inside(Instruction& value, User& user) {
    if (outer_.contains(cast<Instruction>(&user))) return true;
    auto* phi = dyn_cast<PHINode>(&value);
    return phi && phi->getNumIncomingValues() == 1;  // of the inner loop, on its way out
  }

  /// sum: from the outer header into the inner one's phi, and from the inner loop back.
  bool passes_through(PHINode& phi) {
    Value* back = phi.getIncomingValueForBlock(outer_.getLoopLatch());
    while (auto* closed = dyn_cast<PHINode>(back)) {
      if (inner_.contains(closed) || closed->getNumIncomingValues() != 1) break;
      back = closed->getIncomingValue(0);
    }
    return all_of(phi.users(), [&](User* user) {
      auto* inner = dyn_cast<PHINode>(user);
      return inner && inner->getParent() == inner_.getHeader() &&
             inner->getIncomingValueForBlock(inner_.getLoopPreheader()) == &phi &&
             inner->getIncomingValueForBlock(inner_.getLoopLatch()) == back;
    });
  }

  /// All operands in the inner loop are what they would be if it just went on.
  bool goes_on_inside() {
    for (BasicBlock* block : inner_.blocks())
      for (Instruction& instruction : *block) {
        if (!isa<GetElementPtrInst>(instruction) || !goes_on(&instruction, 0))
          not_as_before_.push_back(&instruction);
        if (block->getTerminator() == &instruction && block == inner_.getLoopLatch()) continue;
        if (instruction.isTerminator() && cast<BranchInst>(&instruction)->isUnconditional())
          continue;
        if (auto* phi = dyn_cast<PHINode>(&instruction); phi && block == inner_.getHeader()) {
          if (!starts_well(*phi)) return false;
          continue;
        }
        bool is_asked_for = carried_.contains(&instruction) || instruction.mayHaveSideEffects() ||
                            instruction.isTerminator() || instruction.mayReadFromMemory() ||
                            !evolution_.isSCEVable(instruction.getType());
        if (is_asked_for && !all_of(instruction.operands(), [&](Use& use) {
              return isa<BasicBlock>(use.get()) || goes_on(use.get(), 0);
            }))
          return false;
        if (any_of(instruction.users(),
                   [&](User* user) { return !inner_.contains(cast<Instruction>(user)); }) &&
            !goes_on(&instruction, 0) && !carried_.contains(&instruction))
          return false;
      }
    return true;
  }

  /// A counter, or a value that passes through both loops.
  bool starts_well(PHINode& phi) {
    if (evolution_.isSCEVable(phi.getType()) && isa<SCEVAddRecExpr>(evolution_.getSCEV(&phi)))
      return true;
    auto* from = dyn_cast<PHINode>(phi.getIncomingValueForBlock(inner_.getLoopPreheader()));
    if (!from || from->getParent() != outer_.getHeader() || !passes_through(*from)) return false;
    sums_.push_back(&phi);
    carried_.insert(&phi);
    carried_.insert(phi.getIncomingValueForBlock(inner_.getLoopLatch()));
    return true;
  }

  /// In round k of the inner loop in round m of the outer one it is what it would be in round
  /// m * rounds + k of the inner one in round 0.
  bool goes_on(Value* value, unsigned depth) {
    auto* instruction = dyn_cast<Instruction>(value);
    if (!instruction || !outer_.contains(instruction) || carried_.contains(value)) return true;
    if (evolution_.isSCEVable(value->getType())) {
      const SCEV* known = evolution_.getSCEV(value);
      if (evolution_.isLoopInvariant(known, &outer_)) return true;
      if (auto* round = dyn_cast<SCEVAddRecExpr>(known); round && has_one_step(*round)) return true;
    }
    if (!inner_.contains(instruction) || isa<PHINode>(instruction) || depth == 8) return false;
    if (instruction->mayHaveSideEffects()) return false;
    return all_of(instruction->operands(),
                  [&](Use& operand) { return goes_on(operand.get(), depth + 1); });
  }

  bool has_one_step(const SCEVAddRecExpr& round) {
    auto* start = dyn_cast<SCEVAddRecExpr>(round.getStart());
    if (round.getLoop() != &inner_ || !round.isAffine() || !start || start->getLoop() != &outer_ ||
        !start->isAffine())
      return false;
    const SCEV* step = round.getStepRecurrence(evolution_);
    return start->getStepRecurrence(evolution_) ==
           evolution_.getMulExpr(step, evolution_.getConstant(step->getType(), rounds_));
  }

  Loop &outer_, &inner_;
  ScalarEvolution& evolution_;
  unsigned rounds_ = 0;
  const SCEV* outer_rounds_ = nullptr;
  SmallPtrSet<Value*, 8> carried_;
  SmallVector<PHINode*> sums_;
  PaddedRounds padded_;
  std::vector<Instruction*> not_as_before_;  // they may wrap now
};

bool flatten_one(Function& function) {
  FunctionAnalyses analyses(function);
  for (Loop* loop : analyses.loops.getLoopsInPreorder()) {
    if (loop->getSubLoops().size() != 1) continue;
    LoopNest nest(*loop, analyses.evolution);
    if (!nest.can_be_one()) continue;
    nest.make_one();
    return true;
  }
  return false;
}

}  // namespace

bool flatten_loops(Function& function) {
  bool changed = false;
  while (flatten_one(function)) changed = true;
  return changed;
}

}  // namespace gridspan::transforms
