// Finding what is divided, and writing the loop over rows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/divided_rows.h"

#include "transforms/counted_loop.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

namespace gridspan::transforms {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr std::size_t most_divisions = 12;

bool is_signed(const Instruction& division) {
  return division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::SRem;
}

bool is_quotient(const Instruction& division) {
  return division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::UDiv;
}

/// Whoever divides. The divisors of signed numbers are those of hardware_semantics.h: neither 0 nor
/// -1.
bool is_harmless(const Instruction& division) {
  const Value* divisor = division.getOperand(1);
  if (!is_signed(division))
    return isKnownNonZero(divisor, SimplifyQuery(division.getDataLayout(), &division));
  const APInt* number;
  if (match(divisor, m_APInt(number))) return !number->isZero() && !number->isAllOnes();
  Value* given;
  return match(divisor, m_Select(m_SpecificICmp(ICmpInst::ICMP_ULT, m_Add(m_Value(given), m_One()),
                                                m_SpecificInt(2)),
                                 m_One(), m_Deferred(given)));
}

/// Anybody may compute it at any time.
bool is_plain(const Instruction& one) {
  return (isa<BinaryOperator>(one) && (!one.isIntDivRem() || is_harmless(one))) ||
         isa<CastInst, SelectInst, ICmpInst>(one);
}

class Rows {
 public:
  Rows(const CountedLoop& counted, DominatorTree& dominators, LoopInfo& loops)
      : counted_(counted), loop_(*counted.loop), dominators_(dominators), loops_(loops) {}

  bool run() {
    find_divisions();
    if (divisions_.empty() || divisions_.size() > most_divisions) return false;
    keep_for_short_rows();
    write_loop();
    for (Instruction* division : divisions_) divide(*division);
    finish();
    return true;
  }

 private:
  /// Grows by one from thread to thread, but for wrapping around. Remainders of such numbers do,
  /// once rows end where they begin anew.
  bool grows_by_one(const Value* value, unsigned depth = 0) const {
    if (value == counted_.index) return true;
    const auto* one = dyn_cast<Instruction>(value);
    if (!one || !loop_.contains(one) || depth == 8) return false;
    auto grows = [&](unsigned operand) {
      return grows_by_one(one->getOperand(operand), depth + 1);
    };
    auto is_same = [&](unsigned operand) {
      return loop_.isLoopInvariant(one->getOperand(operand));
    };
    switch (one->getOpcode()) {
      case Instruction::Or:
        if (!cast<PossiblyDisjointInst>(one)->isDisjoint()) return false;
        [[fallthrough]];
      case Instruction::Add:
        return (grows(0) && is_same(1)) || (is_same(0) && grows(1));
      case Instruction::Sub:
        return grows(0) && is_same(1);
      case Instruction::SExt:
      case Instruction::ZExt:
      case Instruction::Trunc:
        return grows(0);
      case Instruction::Select:
        return is_same(0) && grows(1) && grows(2);
      case Instruction::SRem:
      case Instruction::URem:
        return is_contained(divisions_, one);
      default:
        return false;
    }
  }

  /// Each thread divides, or it does no harm if it does not.
  bool may_divide(const Instruction& division) const {
    return (all_go_on_ && dominators_.dominates(division.getParent(), loop_.getLoopLatch())) ||
           is_harmless(division);
  }

  /// No thread ends before it divides.
  static bool goes_on(const BasicBlock* block) {
    return all_of(*block, [](const Instruction& one) {
      return isGuaranteedToTransferExecutionToSuccessor(&one);
    });
  }

  static bool is_long(const Value* divisor) {
    constexpr unsigned short_row = 8;
    const APInt* number;
    return !match(divisor, m_APInt(number)) || number->sge(short_row);
  }

  void find_divisions() {
    all_go_on_ = all_of(loop_.blocks(), goes_on);
    ReversePostOrderTraversal<Function*> blocks(loop_.getHeader()->getParent());
    for (BasicBlock* block : blocks) {
      if (!loop_.contains(block)) continue;
      for (Instruction& one : *block)
        if (one.isIntDivRem() && one.getType()->isIntegerTy() &&
            one.getType()->getIntegerBitWidth() >= 32 && loop_.isLoopInvariant(one.getOperand(1)) &&
            is_long(one.getOperand(1)) && grows_by_one(one.getOperand(0)) && may_divide(one))
          divisions_.push_back(&one);
    }
  }

  /// Rows of one thread would be slower than the loop as it was.
  void keep_for_short_rows() {
    BasicBlock* const before = loop_.getLoopPreheader();
    BasicBlock* const own = SplitBlock(before, before->getTerminator(), &dominators_, &loops_);
    ValueToValueMapTy map;
    SmallVector<BasicBlock*> blocks;
    Loop* const kept = cloneLoopWithPreheader(own, before, &loop_, map, ".short_rows", &loops_,
                                              &dominators_, blocks);
    remapInstructionsInBlocks(blocks, map);
    kept->setLoopID(nullptr);  // one loop is the loop over threads
    IRBuilder<> builder(before->getTerminator());
    Value* is_short = builder.getFalse();
    for (const Instruction* division : divisions_) {
      Value* const divisor = division->getOperand(1);
      Value* const two = ConstantInt::get(divisor->getType(), 2);
      is_short =
          builder.CreateOr(is_short, is_signed(*division) ? builder.CreateICmpSLT(divisor, two)
                                                          : builder.CreateICmpULT(divisor, two));
    }
    builder.CreateCondBr(is_short, kept->getLoopPreheader(), own);
    before->getTerminator()->eraseFromParent();
  }

  void write_loop() {
    Function* function = loop_.getHeader()->getParent();
    BasicBlock *before = loop_.getLoopPreheader(), *header = loop_.getHeader(),
               *latch = loop_.getLoopLatch(), *exit = loop_.getExitBlock();
    run_ = counted_.bound();
    head_ = BasicBlock::Create(function->getContext(), "divided_row", function, header);
    end_ = BasicBlock::Create(function->getContext(), "divided_row_end", function, exit);
    before->getTerminator()->replaceSuccessorWith(header, head_);
    counted_.index->replaceIncomingBlockWith(before, head_);
    latch->getTerminator()->replaceSuccessorWith(exit, end_);

    IRBuilder<> builder(head_);
    done_ = builder.CreatePHI(builder.getInt32Ty(), 2, "done");
    done_->addIncoming(builder.getInt32(0), before);
    length_ = builder.CreateSub(run_, done_, "", true);
    BranchInst::Create(header, head_);
    move_index(counted_, done_);

    builder.SetInsertPoint(end_);
    Value* const all = builder.CreateAdd(done_, counted_.bound(), "", true);  // changed in `finish`
    next_ = cast<Instruction>(all);
    builder.CreateCondBr(builder.CreateICmpULT(next_, run_), head_, exit);
    done_->addIncoming(next_, end_);
  }

  /// The value of the row's first thread. The row ends where what is extended would wrap.
  Value* of_first(Value* value, IRBuilder<>& builder) {
    if (value == counted_.index) return ConstantInt::get(value->getType(), 0);
    auto* one = dyn_cast<Instruction>(value);
    if (!one || !loop_.contains(one)) return value;
    if (Value* known = first_.lookup(one)) return known;
    Instruction* copy = one->clone();
    for (Use& operand : copy->operands()) operand.set(of_first(operand.get(), builder));
    builder.Insert(copy, one->getName());
    if (isa<SExtInst>(one) || isa<ZExtInst>(one))
      limit(left_until_wrap(copy->getOperand(0), isa<SExtInst>(one), builder), builder);
    first_[one] = copy;
    return copy;
  }

  /// To the largest number; a negative one has none. At least 0, in the number's type.
  static Value* left_until_wrap(Value* number, bool is_signed, IRBuilder<>& builder) {
    if (!is_signed) return builder.CreateNot(number);
    auto* type = cast<IntegerType>(number->getType());
    Value* const most = ConstantInt::get(type, APInt::getSignedMaxValue(type->getBitWidth()));
    Value* const zero = ConstantInt::get(type, 0);
    return builder.CreateSelect(builder.CreateICmpSLT(number, zero), zero,
                                builder.CreateSub(most, number));
  }

  /// The row has no more threads than that, which is unsigned, and one.
  void limit(Value* threads, IRBuilder<>& builder) {
    Type* const i64 = builder.getInt64Ty();
    Value* const most = builder.CreateBinaryIntrinsic(
        Intrinsic::umin, builder.CreateZExt(length_, i64), builder.CreateZExtOrTrunc(threads, i64));
    length_ = builder.CreateTrunc(
        builder.CreateBinaryIntrinsic(Intrinsic::umax, most, builder.getInt64(1)),
        builder.getInt32Ty());
  }

  void divide(Instruction& division) {
    IRBuilder<> builder(head_->getTerminator());
    Value *const divisor = division.getOperand(1), *const dividend =
                                                       of_first(division.getOperand(0), builder);
    const bool has_sign = is_signed(division);
    Value* const quotient =
        has_sign ? builder.CreateSDiv(dividend, divisor) : builder.CreateUDiv(dividend, divisor);
    Value* const rest = builder.CreateSub(dividend, builder.CreateMul(quotient, divisor));
    Value* row = builder.CreateSub(divisor, rest);
    if (has_sign) {
      Value* const zero = ConstantInt::get(divisor->getType(), 0);
      row = builder.CreateSelect(builder.CreateICmpSGT(divisor, zero), row, zero);
    }
    limit(row, builder);
    limit(left_until_wrap(dividend, has_sign, builder), builder);
    replace(division, is_quotient(division) ? quotient : rest, is_quotient(division));
  }

  /// `value` is that of the row's first thread.
  void replace(Instruction& in_loop, Value* value, bool is_same_in_row) {
    if (!is_same_in_row) {
      IRBuilder<> builder(&in_loop);
      value = builder.CreateAdd(value, builder.CreateZExtOrTrunc(counted_.index, value->getType()));
      value->takeName(&in_loop);
    }
    in_loop.replaceAllUsesWith(value);
    dead_.emplace_back(&in_loop);
    if (is_same_in_row) hoist();
    while (SelectInst* choice = choice_of(*value)) replace_choice(*choice, *value, is_same_in_row);
  }

  /// A choice that is the same for all threads: what the hardware makes of a division by 0 or -1.
  SelectInst* choice_of(Value& value) const {
    for (User* user : value.users()) {
      auto* choice = dyn_cast<SelectInst>(user);
      if (choice && loop_.contains(choice) && !replaced_.contains(choice) &&
          choice->getCondition() != &value && loop_.isLoopInvariant(choice->getCondition()) &&
          is_for_first(other_of(*choice, value)))
        return choice;
    }
    return nullptr;
  }

  static Value* other_of(SelectInst& choice, const Value& value) {
    return choice.getTrueValue() == &value ? choice.getFalseValue() : choice.getTrueValue();
  }

  /// It can be computed for the row's first thread alone.
  bool is_for_first(const Value* value, unsigned depth = 0) const {
    const auto* one = dyn_cast<Instruction>(value);
    if (!one || !loop_.contains(one) || one == counted_.index) return true;
    return depth < 8 && is_plain(*one) &&
           all_of(
               one->operands(),
               [&](const Use& operand) { return is_for_first(operand.get(), depth + 1); });
  }

  /// Of something that is neither the same in a row nor grows as the column does, a row has one.
  void replace_choice(SelectInst& choice, Value& value, bool is_same_in_row) {
    replaced_.insert(&choice);
    IRBuilder<> builder(head_->getTerminator());
    Value* const other = other_of(choice, value);
    const bool fits = is_same_in_row ? loop_.isLoopInvariant(other) : grows_by_one(other);
    Value *const own = of_first(&value, builder), *const first = of_first(other, builder);
    const bool is_true = choice.getTrueValue() == &value;
    Value* const chosen =
        builder.CreateSelect(choice.getCondition(), is_true ? own : first, is_true ? first : own);
    if (!fits) {
      Value *const all = builder.getInt64(~std::uint64_t{0}), *const one = builder.getInt64(1);
      limit(builder.CreateSelect(choice.getCondition(), is_true ? all : one, is_true ? one : all),
            builder);
    }
    replace(choice, chosen, is_same_in_row);
  }

  /// What is the same for a row is computed once: planes and batches are divided out of rows.
  void hoist() {
    ReversePostOrderTraversal<Function*> blocks(head_->getParent());
    for (BasicBlock* block : blocks) {
      if (!loop_.contains(block)) continue;
      for (Instruction& one : make_early_inc_range(*block))
        if (is_plain(one) && loop_.hasLoopInvariantOperands(&one))
          one.moveBefore(head_->getTerminator());
    }
  }

  void finish() {
    counted_.test->setOperand(counted_.bound_operand, length_);
    next_->setOperand(1, length_);
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead_);
    hoist();
  }

  const CountedLoop& counted_;
  Loop& loop_;
  DominatorTree& dominators_;
  LoopInfo& loops_;
  bool all_go_on_ = false;
  SmallVector<Instruction*> divisions_;
  BasicBlock *head_ = nullptr, *end_ = nullptr;
  PHINode* done_ = nullptr;
  Instruction* next_ = nullptr;
  Value *run_ = nullptr, *length_ = nullptr;
  DenseMap<Instruction*, Value*> first_;
  SmallPtrSet<SelectInst*, 4> replaced_;
  SmallVector<WeakTrackingVH> dead_;
};

}  // namespace

bool divide_into_rows(Function& region) {
  DominatorTree dominators(region);
  LoopInfo loops(dominators);
  const auto counted = find_counted_loop(loops);
  return counted && Rows(*counted, dominators, loops).run();
}

}  // namespace gridspan::transforms
