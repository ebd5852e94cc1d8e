// Finds guards that one thread passes, and computes behind them with its number.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/known_threads.h"

#include "transforms/parallel_loop.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace gridspan::transforms {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// `begin + index == value`; begin and value are the same for all threads of the loop.
struct Equality {
  Value* begin;  // null: zero
  Value* value;
};

/// The code behind one guard.
class KnownThread {
 public:
  KnownThread(const Loop& loop, PHINode& index, const DominatorTree& dominators,
              const BasicBlockEdge& edge)
      : loop_(loop), index_(index), dominators_(dominators), edge_(edge) {}

  bool tell(const Equality& known) {
    BasicBlock* block = const_cast<BasicBlock*>(edge_.getEnd());
    IRBuilder<> builder(block, block->getFirstInsertionPt());
    Value* number = known.begin ? builder.CreateSub(known.value, known.begin) : known.value;
    known_[&index_] = number;
    where_ = &*builder.GetInsertPoint();
    bool changed = false;
    for (BasicBlock* behind : loop_.blocks()) {
      if (!is_behind(behind)) continue;
      for (Instruction& instruction : *behind)
        if (!isa<PHINode>(instruction) && !is_new_.contains(&instruction))
          for (Use& operand : instruction.operands()) changed |= replace(operand);
    }
    return changed;
  }

 private:
  bool is_behind(const BasicBlock* block) const { return dominators_.dominates(edge_, block); }

  bool replace(Use& operand) {
    Value* known = of(operand.get(), 0);
    if (known == operand.get()) return false;
    operand.set(known);
    return true;
  }

  static bool is_arithmetic(const Instruction& instruction) {
    if (instruction.isIntDivRem()) return false;
    return isa<BinaryOperator, CastInst, GetElementPtrInst, ICmpInst, SelectInst, MinMaxIntrinsic>(
               instruction) &&
           !instruction.getType()->isFPOrFPVectorTy();
  }

  /// The value in the known thread, of one computed before the guard.
  Value* of(Value* value, unsigned depth) {
    constexpr unsigned deepest = 16;
    auto* instruction = dyn_cast<Instruction>(value);
    if (!instruction || !loop_.contains(instruction)) return value;
    if (auto found = known_.find(instruction); found != known_.end()) return found->second;
    if (depth > deepest || !is_arithmetic(*instruction) || is_behind(instruction->getParent()))
      return value;
    SmallVector<Value*> operands;
    bool is_same = true;
    for (Value* operand : instruction->operand_values()) {
      operands.push_back(of(operand, depth + 1));
      is_same &= operands.back() == operand;
    }
    Value* made = value;
    if (!is_same) {
      Instruction* copy = instruction->clone();
      for (auto [i, operand] : enumerate(operands)) copy->setOperand(i, operand);
      copy->setName(instruction->getName());
      copy->insertBefore(where_);
      is_new_.insert(copy);
      made = copy;
    }
    known_[instruction] = made;
    return made;
  }

  const Loop& loop_;
  PHINode& index_;
  const DominatorTree& dominators_;
  BasicBlockEdge edge_;
  Instruction* where_ = nullptr;
  MapVector<Instruction*, Value*> known_;
  SmallPtrSet<Instruction*, 16> is_new_;
};

/// The equality that holds if `condition` is `holds`.
std::optional<Equality> find_equality(Value* condition, bool holds, const Loop& loop,
                                      const PHINode& index) {
  Value *first, *second;
  if (holds ? match(condition, m_LogicalAnd(m_Value(first), m_Value(second)))
            : match(condition, m_LogicalOr(m_Value(first), m_Value(second)))) {
    auto found = find_equality(first, holds, loop, index);
    return found ? found : find_equality(second, holds, loop, index);
  }
  auto* test = dyn_cast<ICmpInst>(condition);
  if (!test || test->getPredicate() != (holds ? ICmpInst::ICMP_EQ : ICmpInst::ICMP_NE))
    return std::nullopt;
  Value *place = test->getOperand(0), *value = test->getOperand(1);
  if (loop.isLoopInvariant(place)) std::swap(place, value);
  if (!loop.isLoopInvariant(value)) return std::nullopt;
  if (place == &index) return Equality{nullptr, value};
  Value* begin;
  bool is_sum = match(place, m_c_Add(m_Specific(&index), m_Value(begin)));
  // x + i == 0 reads x | i == 0 by now; then both are zero.
  bool is_zero = match(value, m_Zero()) && match(place, m_c_Or(m_Specific(&index), m_Value(begin)));
  if ((!is_sum && !is_zero) || !loop.isLoopInvariant(begin)) return std::nullopt;
  return Equality{is_sum ? begin : nullptr, value};
}

PHINode* find_index(const Loop& loop) {
  BasicBlock *before = loop.getLoopPreheader(), *latch = loop.getLoopLatch();
  if (!before || !latch) return nullptr;
  for (PHINode& phi : loop.getHeader()->phis())
    if (match(phi.getIncomingValueForBlock(before), m_Zero()) &&
        match(phi.getIncomingValueForBlock(latch), m_Add(m_Specific(&phi), m_One())))
      return &phi;
  return nullptr;
}

}  // namespace

bool tell_known_threads(Function& region) {
  DominatorTree dominators(region);
  LoopInfo loops(dominators);
  bool changed = false;
  for (Loop* loop : loops.getLoopsInPreorder()) {
    if (!findOptionMDForLoop(loop, thread_loop_mark)) continue;
    PHINode* index = find_index(*loop);
    if (!index) continue;
    for (BasicBlock* block : loop->blocks()) {
      auto* branch = dyn_cast<BranchInst>(block->getTerminator());
      if (!branch || !branch->isConditional() || block == loop->getLoopLatch()) continue;
      for (unsigned way = 0; way < 2; ++way) {
        BasicBlock* next = branch->getSuccessor(way);
        if (!next->getSinglePredecessor() || !loop->contains(next)) continue;
        auto known = find_equality(branch->getCondition(), way == 0, *loop, *index);
        if (!known) continue;
        changed |= KnownThread(*loop, *index, dominators, BasicBlockEdge(block, next)).tell(*known);
      }
    }
  }
  return changed;
}

}  // namespace gridspan::transforms
