// Recognises the loop, and writes what is asked about its numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/grid_loop.h"

#include "transforms/context.h"

#include "llvm/IR/PatternMatch.h"

namespace gridspan::transforms {

using namespace llvm;
using namespace llvm::PatternMatch;

/// What the value is computed from, itself included.
SetVector<const Value*> sources(const Value* value) {
  SetVector<const Value*> all;
  all.insert(value);
  for (unsigned i = 0; i < all.size(); ++i)
    if (const auto* one = dyn_cast<Instruction>(all[i]))
      for (const Value* operand : one->operands()) all.insert(operand);
  return all;
}

namespace {

bool asks_for(const Value* value, SpecialRegister::Group group) {
  return any_of(sources(value),
                [&](const Value* one) { return special_register(one).group == group; });
}

/// threadIdx.x, and what is the same for all threads, in whatever width: where nothing wraps, it
/// grows by one from thread to thread.
bool grows_by_thread(const Value* value) {
  const SpecialRegister asked = special_register(value);
  if (asked.group != SpecialRegister::none)
    return asked.group == SpecialRegister::thread_index && asked.axis == 0;
  if (isa<ZExtInst, SExtInst, TruncInst>(value))
    return grows_by_thread(cast<CastInst>(value)->getOperand(0));
  const auto* sum = dyn_cast<BinaryOperator>(value);
  const bool is_sum =
      sum &&
      (sum->getOpcode() == Instruction::Add ||
       (sum->getOpcode() == Instruction::Or && cast<PossiblyDisjointInst>(sum)->isDisjoint()));
  if (!is_sum) return false;
  const Value *left = sum->getOperand(0), *right = sum->getOperand(1);
  if (asks_for(left, SpecialRegister::thread_index)) std::swap(left, right);
  return !asks_for(left, SpecialRegister::thread_index) && grows_by_thread(right);
}

/// `value < end`, and the branch goes on if so: of what is compared with what.
struct Test {
  Value *value, *end;
  bool is_signed;
};
std::optional<Test> test_of(const BranchInst& branch, const BasicBlock* goes_on) {
  if (!branch.isConditional()) return std::nullopt;
  auto* compare = dyn_cast<ICmpInst>(branch.getCondition());
  if (!compare) return std::nullopt;
  Value *left = compare->getOperand(0), *right = compare->getOperand(1);
  CmpInst::Predicate predicate = compare->getPredicate();
  if (branch.getSuccessor(0) != goes_on) predicate = CmpInst::getInversePredicate(predicate);
  if (predicate == CmpInst::ICMP_SGT || predicate == CmpInst::ICMP_UGT) {
    std::swap(left, right);
    predicate = CmpInst::getSwappedPredicate(predicate);
  }
  if (predicate != CmpInst::ICMP_SLT && predicate != CmpInst::ICMP_ULT) return std::nullopt;
  return Test{left, right, predicate == CmpInst::ICMP_SLT};
}

/// The branch in front of the loop, if it asks the same of the first number.
BranchInst* guard_of(const GridLoop& found) {
  BasicBlock* preheader = found.loop->getLoopPreheader();
  BasicBlock* before = preheader->getSinglePredecessor();
  auto* branch = before ? dyn_cast<BranchInst>(before->getTerminator()) : nullptr;
  const auto test = branch ? test_of(*branch, preheader) : std::nullopt;
  const bool is_guard = test && test->value == found.start && test->end == found.end &&
                        test->is_signed == found.is_signed;
  return is_guard ? branch : nullptr;
}

/// With this one as index.
std::optional<GridLoop> loop_with_index(Loop& loop, PHINode& index) {
  BasicBlock *latch = loop.getLoopLatch(), *exiting = loop.getExitingBlock();
  Value *next = index.getIncomingValueForBlock(latch), *step = nullptr;
  if (!match(next, m_c_Add(m_Specific(&index), m_Value(step))) || !loop.isLoopInvariant(step))
    return std::nullopt;
  auto* branch = dyn_cast<BranchInst>(exiting->getTerminator());
  if (!branch || !branch->isConditional()) return std::nullopt;
  const bool tests_first = exiting == loop.getHeader() && exiting != latch;
  const bool leaves_first = branch->getSuccessor(0) == loop.getExitBlock();
  const auto test = test_of(*branch, branch->getSuccessor(leaves_first ? 1 : 0));
  if (!test || !loop.isLoopInvariant(test->end) ||
      test->value != (tests_first ? static_cast<Value*>(&index) : next) ||
      (!tests_first && exiting != latch))
    return std::nullopt;
  Value* start = index.getIncomingValueForBlock(loop.getLoopPreheader());
  if (!grows_by_thread(start) || !asks_for(step, SpecialRegister::grid_size) ||
      asks_for(step, SpecialRegister::thread_index) ||
      asks_for(test->end, SpecialRegister::thread_index))
    return std::nullopt;
  GridLoop found{&loop, &index, start, test->end, step, test->is_signed, tests_first, nullptr};
  if (tests_first) return found;
  found.guard = guard_of(found);
  return found.guard ? std::optional(found) : std::nullopt;
}

}  // namespace

std::optional<GridLoop> as_grid_loop(Loop& loop) {
  if (!loop.getLoopPreheader() || !loop.getLoopLatch() || !loop.getExitingBlock() ||
      !loop.getExitBlock())
    return std::nullopt;
  for (PHINode& phi : loop.getHeader()->phis()) {
    if (!phi.getType()->isIntegerTy(32) && !phi.getType()->isIntegerTy(64)) continue;
    if (auto found = loop_with_index(loop, phi)) return found;
  }
  return std::nullopt;
}

Value* write_less(IRBuilder<>& builder, bool is_signed, Value* left, Value* right) {
  return is_signed ? builder.CreateICmpSLT(left, right) : builder.CreateICmpULT(left, right);
}

Value* ForOneThread::operator()(Value* value) {
  auto* instruction = dyn_cast<Instruction>(value);
  if (!instruction) return value;
  if (Value* known = map_.lookup(value)) return known;
  const bool is_of_thread =
      any_of(sources(value), [&](const Value* one) { return map_.count(one) != 0; });
  if (!is_of_thread && dominators_.dominates(instruction->getParent(), builder_.GetInsertBlock()))
    return value;
  Instruction* twin = instruction->clone();
  for (Use& operand : twin->operands()) operand.set((*this)(operand.get()));
  twin->dropPoisonGeneratingFlags();  // the thread may not be there
  builder_.Insert(twin, instruction->getName());
  map_[value] = twin;
  return twin;
}

Value* nothing_wraps(IRBuilder<>& builder, const RowOfNumbers& row) {
  Type* wide = builder.getInt64Ty();
  const bool is_signed = row.is_signed, is_wide = row.first->getType() == wide;
  const auto extended = [&](Value* value) {
    return is_signed ? builder.CreateSExt(value, wide) : builder.CreateZExt(value, wide);
  };
  Value *begins = extended(row.first), *ends = extended(row.last), *limit = extended(row.end),
        *by = extended(row.step), *count = builder.CreateZExt(row.count, wide);
  const auto at_most = [&](Value* left, Value* right) {
    return is_signed ? builder.CreateICmpSLE(left, right) : builder.CreateICmpULE(left, right);
  };
  // Numbers of 64 bits are far from the largest, those of 32 bits are less.
  constexpr std::uint64_t far = std::uint64_t{1} << 61;
  const std::uint64_t most = is_signed ? 0x7fffffffu : 0xffffffffu;
  const auto fits = [&](Value* value) {
    if (!is_wide) value = builder.CreateAdd(builder.CreateAdd(value, by), count);
    return at_most(value, builder.getInt64(is_wide ? far : most));
  };
  Value* tests[] = {builder.CreateICmpEQ(builder.CreateSub(ends, begins),
                                         builder.CreateSub(count, builder.getInt64(1))),
                    at_most(begins, ends),
                    at_most(builder.getInt64(1), by),
                    at_most(by, builder.getInt64(far)),
                    fits(limit),
                    fits(ends)};
  Value* all = tests[0];
  for (Value* test : drop_begin(tests)) all = builder.CreateAnd(all, test);
  return all;
}

}  // namespace gridspan::transforms
