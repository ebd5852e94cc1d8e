// Recognising the guard and moving it into the bound.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/thread_guard.h"

#include "transforms/parallel_loop.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace gridspan::transforms {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// The loop over threads: `do { ... } while (index + 1 < bound)` with index from 0.
struct CountedLoop {
  Loop* loop;
  PHINode* index;
  ICmpInst* test;
  unsigned bound_operand;  // of the test

  Value* bound() const { return test->getOperand(bound_operand); }
};

std::optional<CountedLoop> find_counted(LoopInfo& loops) {
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
    auto* test = dyn_cast<ICmpInst>(branch->getCondition());
    if (!test || !test->hasOneUse() || branch->getSuccessor(0) != header ||
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

/// Threads whose `base + index` is below `limit`; both numbers read as (un)signed.
struct Guard {
  Value* condition;
  Value* base;  // null: zero
  Value* limit;
  bool is_signed;
};

/// `value` is the index, if need be by a mask that takes nothing away.
bool is_index(const Value* value, const CountedLoop& counted) {
  const APInt* mask;
  auto* bound = dyn_cast<ConstantInt>(counted.bound());
  return value == counted.index ||
         (bound && match(value, m_And(m_Specific(counted.index), m_APInt(mask))) &&
          mask->isMask() && (bound->getValue() - 1).ule(*mask));
}

/// `value` is index, or base + index, which wraps in no thread: then it grows with index.
bool is_position(Value* value, const CountedLoop& counted, Value*& base) {
  base = nullptr;
  if (is_index(value, counted)) return true;
  auto* sum = dyn_cast<BinaryOperator>(value);
  if (!sum || sum->getOpcode() != Instruction::Add || !sum->hasNoUnsignedWrap() ||
      !sum->hasNoSignedWrap())
    return false;
  for (unsigned i = 0; i < 2; ++i)
    if (sum->getOperand(i) == counted.index &&
        counted.loop->isLoopInvariant(sum->getOperand(1 - i)))
      base = sum->getOperand(1 - i);
  return base != nullptr;
}

std::optional<Guard> as_guard(Value* condition, const CountedLoop& counted, bool holds) {
  Value *first, *second;
  if (holds && match(condition, m_LogicalAnd(m_Value(first), m_Value(second)))) {
    if (auto guard = as_guard(first, counted, true)) return guard;
    bool both = isa<BinaryOperator>(condition);  // else the second may be poison
    return both ? as_guard(second, counted, true) : std::nullopt;
  }
  auto* test = dyn_cast<ICmpInst>(condition);
  if (!test) return std::nullopt;
  auto predicate = holds ? test->getPredicate() : test->getInversePredicate();
  Value *left = test->getOperand(0), *right = test->getOperand(1), *base;
  // x + i == 0 reads x | i == 0 by now.
  if (Value * a, *b; predicate == ICmpInst::ICMP_EQ && match(right, m_Zero()) &&
                     match(left, m_Or(m_Value(a), m_Value(b)))) {
    if (is_index(a, counted)) std::swap(a, b);
    if (is_index(b, counted) && counted.loop->isLoopInvariant(a))
      return Guard{condition, a, ConstantInt::get(right->getType(), 1), false};
  }
  if (!is_position(left, counted, base)) {
    std::swap(left, right);
    predicate = ICmpInst::getSwappedPredicate(predicate);
    if (!is_position(left, counted, base)) return std::nullopt;
  }
  if (!counted.loop->isLoopInvariant(right)) return std::nullopt;
  if (predicate == ICmpInst::ICMP_EQ && match(right, m_Zero()))
    return Guard{condition, base, ConstantInt::get(right->getType(), 1), false};
  if (predicate != ICmpInst::ICMP_SLT && predicate != ICmpInst::ICMP_ULT) return std::nullopt;
  return Guard{condition, base, right, predicate == ICmpInst::ICMP_SLT};
}

/// Threads from `begin` to before `end`, both i64 and anything from -2^41 to 2^41.
struct Window {
  Value* condition;
  Value *begin, *end;
};

/// The index as a number of any width: it is far from the end of its type.
bool is_index_extended(Value* value, const CountedLoop& counted) {
  Value* inner;
  if (match(value, m_ZExtOrSExt(m_Value(inner)))) value = inner;
  return value == counted.index;
}

/// `x - index` or `x + index` as an unsigned number below a constant: a wrap would lead far away.
std::optional<Window> as_window(Value* condition, const CountedLoop& counted, bool holds,
                                IRBuilder<>& builder) {
  Value *first, *second;
  if (holds ? match(condition, m_LogicalAnd(m_Value(first), m_Value(second)))
            : match(condition, m_LogicalOr(m_Value(first), m_Value(second)))) {
    if (auto window = as_window(first, counted, holds, builder)) return window;
    bool both = isa<BinaryOperator>(condition);  // else the second may be poison
    return both ? as_window(second, counted, holds, builder) : std::nullopt;
  }
  ICmpInst::Predicate predicate;
  Value *number, *left, *right;
  const APInt* limit;
  constexpr std::uint64_t highest = std::uint64_t{1} << 30;
  if (!match(condition, m_ICmp(predicate, m_Value(number), m_APInt(limit)))) return std::nullopt;
  if (!holds) predicate = ICmpInst::getInversePredicate(predicate);
  unsigned bits = number->getType()->getScalarSizeInBits();
  if (limit->ugt(highest) || (bits != 32 && bits != 64)) return std::nullopt;
  std::uint64_t size = limit->getZExtValue();
  if (predicate == ICmpInst::ICMP_ULE)
    ++size;
  else if (predicate != ICmpInst::ICMP_ULT)
    return std::nullopt;
  auto near_zero = [&](Value* value) {  // further away, no thread passes all the same
    auto distance = static_cast<std::int64_t>(highest << 10);
    Value* wide = builder.CreateSExt(value, builder.getInt64Ty());
    wide = builder.CreateBinaryIntrinsic(Intrinsic::smin, wide, builder.getInt64(distance));
    return builder.CreateBinaryIntrinsic(Intrinsic::smax, wide, builder.getInt64(-distance));
  };
  if (match(number, m_Sub(m_Value(left), m_Value(right)))) {
    if (!counted.loop->isLoopInvariant(left) || !is_index_extended(right, counted))
      return std::nullopt;
    Value* end = builder.CreateAdd(near_zero(left), builder.getInt64(1));
    return Window{condition, builder.CreateSub(end, builder.getInt64(size)), end};
  }
  if (!match(number, m_Add(m_Value(left), m_Value(right)))) return std::nullopt;
  if (is_index_extended(right, counted)) std::swap(left, right);
  if (!is_index_extended(left, counted) || !counted.loop->isLoopInvariant(right))
    return std::nullopt;
  Value* begin = builder.CreateNeg(near_zero(right));
  return Window{condition, begin, builder.CreateAdd(begin, builder.getInt64(size))};
}

/// Nothing happens from `block` on to the end of the thread.
bool is_idle(const BasicBlock* block, const CountedLoop& counted) {
  const BasicBlock* latch = counted.loop->getLoopLatch();
  for (unsigned steps = 0; steps < 4; ++steps) {
    for (const Instruction& instruction : *block)
      if (!instruction.isTerminator() && instruction.mayHaveSideEffects()) return false;
    if (block == latch) return true;
    block = block->getSingleSuccessor();
    if (!block) return false;
  }
  return false;
}

/// The loop is entered if `bound`, an i32, is not zero.
void set_bound(Value* bound, const CountedLoop& counted, IRBuilder<>& builder) {
  BasicBlock* preheader = counted.loop->getLoopPreheader();
  BasicBlock *header = counted.loop->getHeader(), *exit = counted.loop->getExitBlock();
  BasicBlock* enter =
      BasicBlock::Create(builder.getContext(), "guarded", preheader->getParent(), header);
  builder.CreateCondBr(builder.CreateICmpEQ(bound, ConstantInt::get(bound->getType(), 0)), exit,
                       enter);
  preheader->getTerminator()->eraseFromParent();
  BranchInst::Create(header, enter);
  counted.index->replaceIncomingBlockWith(preheader, enter);
  counted.test->setOperand(counted.bound_operand, bound);
}

void bound_by(const Guard& guard, const CountedLoop& counted) {
  IRBuilder<> builder(counted.loop->getLoopPreheader()->getTerminator());
  Value* base = guard.base ? guard.base : builder.getInt32(0);
  auto larger = guard.is_signed ? Intrinsic::smax : Intrinsic::umax;
  Value* threads =
      builder.CreateSub(builder.CreateBinaryIntrinsic(larger, guard.limit, base), base, "in_guard");
  set_bound(builder.CreateBinaryIntrinsic(Intrinsic::umin, counted.bound(), threads), counted,
            builder);
}

/// The loop counts from the first thread of the window.
void begin_at(const Window& window, const CountedLoop& counted) {
  IRBuilder<> builder(counted.loop->getLoopPreheader()->getTerminator());
  Value* all = builder.CreateZExt(counted.bound(), builder.getInt64Ty());
  auto clamped = [&](Value* value, Value* lowest) {
    value = builder.CreateBinaryIntrinsic(Intrinsic::smax, value, lowest);
    return builder.CreateBinaryIntrinsic(Intrinsic::smin, value, all);
  };
  Value* begin = clamped(window.begin, builder.getInt64(0));
  Value* count = builder.CreateSub(clamped(window.end, begin), begin);
  Value* first = builder.CreateTrunc(begin, builder.getInt32Ty(), "first");
  set_bound(builder.CreateTrunc(count, builder.getInt32Ty(), "in_window"), counted, builder);

  auto* next =
      cast<Instruction>(counted.index->getIncomingValueForBlock(counted.loop->getLoopLatch()));
  auto shift = [&](Instruction* number, BasicBlock* block, BasicBlock::iterator where) {
    builder.SetInsertPoint(block, where);
    auto* shifted = cast<Instruction>(builder.CreateAdd(number, first, "", true, true));
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

/// Of what guards the code behind `branch`; returns what then holds for every thread that is left.
Value* leave_out(BranchInst& branch, const CountedLoop& counted, bool holds) {
  if (auto guard = as_guard(branch.getCondition(), counted, holds)) {
    bound_by(*guard, counted);
    return guard->condition;
  }
  // Lanes of a warp are told by their lowest bits.
  if (any_of(counted.index->users(),
             [](const User* user) { return match(user, m_And(m_Value(), m_ConstantInt())); }))
    return nullptr;
  IRBuilder<> builder(counted.loop->getLoopPreheader()->getTerminator());
  auto window = as_window(branch.getCondition(), counted, holds, builder);
  if (!window) return nullptr;
  begin_at(*window, counted);
  return window->condition;
}

}  // namespace

bool bound_threads_by_guard(Function& region) {
  DominatorTree dominators(region);
  LoopInfo loops(dominators);
  auto counted = find_counted(loops);
  if (!counted || counted->index->getType() != Type::getInt32Ty(region.getContext())) return false;
  BasicBlock* block = counted->loop->getHeader();
  for (unsigned steps = 0; steps < 4; ++steps) {
    for (Instruction& instruction : *block)
      if (instruction.mayHaveSideEffects()) return false;
    auto* branch = dyn_cast<BranchInst>(block->getTerminator());
    if (!branch || block == counted->loop->getLoopLatch()) return false;
    if (branch->isUnconditional()) {
      block = branch->getSuccessor(0);
      if (!block->getSinglePredecessor()) return false;
      continue;
    }
    for (unsigned work = 0; work < 2; ++work) {
      if (!is_idle(branch->getSuccessor(1 - work), *counted)) continue;
      Value* condition = leave_out(*branch, *counted, work == 0);
      if (!condition) return false;
      Value* known = ConstantInt::getBool(region.getContext(), work == 0);
      condition->replaceUsesWithIf(known, [&](Use& use) {
        return counted->loop->contains(cast<Instruction>(use.getUser()));
      });
      ConstantFoldTerminator(block, /*DeleteDeadConditions=*/true);
      return true;
    }
    return false;
  }
  return false;
}

}  // namespace gridspan::transforms
