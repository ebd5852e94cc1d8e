// Finds the loads by scalar evolution; writes the loop that copies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/vectorise/panels.h"

#include "abi/launch.h"
#include "transforms/context.h"
#include "transforms/function_analyses.h"
#include "transforms/parallel_loop.h"

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#include <cstddef>

namespace gridspan::transforms {

using namespace llvm;

namespace {

/// Registers and code for more are scarce.
constexpr std::size_t most_panels = 2;
/// In front of what was copied: whose it is. One line of the cache; as much is in front of all.
constexpr std::uint64_t label_bytes = 64;
constexpr unsigned label_fields = 6;
/// Fewer are not worth it.
constexpr std::uint64_t least_rounds = 16;
constexpr std::uint64_t least_step = 1024;  // bytes
/// Each step is likely to be far from the last one: ask for it early.
constexpr std::uint64_t rounds_ahead = 6;

/// Hides from scalar evolution that the number of a vector counts: what is computed from it is to
/// be computed from it again, not in step with it.
class OpaqueIndex {
 public:
  explicit OpaqueIndex(const RowVectors& vectors)
      : index_(vectors.index),
        opaque_(IRBuilder<>(vectors.header, vectors.header->getFirstInsertionPt())
                    .CreateFreeze(index_)) {
    index_->replaceUsesWithIf(opaque_, [&](Use& use) {
      auto* user = cast<Instruction>(use.getUser());
      return user != opaque_ && user->getParent() != vectors.latch;
    });
  }
  ~OpaqueIndex() {
    opaque_->replaceAllUsesWith(index_);
    cast<Instruction>(opaque_)->eraseFromParent();
  }
  OpaqueIndex(const OpaqueIndex&) = delete;
  OpaqueIndex& operator=(const OpaqueIndex&) = delete;

 private:
  PHINode* index_;
  Value* opaque_;
};

class PanelFinder {
 public:
  PanelFinder(const RowVectors& vectors, const RowCode& code)
      : vectors_(vectors),
        code_(code),
        index_(vectors),
        function_(*vectors.row->getParent()),
        analyses_(function_),
        expander_(evolution_, function_.getDataLayout(), "panel") {}

  std::vector<PanelLoad> find() {
    std::vector<PanelLoad> found;
    const Loop* around = loops_.getLoopFor(vectors_.header);
    for (BasicBlock* block : code_.blocks()) {
      if (writes(*block)) break;  // what comes later may read it
      const Loop* loop = loops_.getLoopFor(block);
      bool is_inner = loop && loop != around && loop->getParentLoop() == around;
      if (!is_inner || !is_counted(*loop) || loop_writes(*loop)) continue;
      for (Instruction& instruction : *block) {
        auto* load = dyn_cast<LoadInst>(&instruction);
        if (load && found.size() < most_panels)
          if (auto panel = panel_of(*load, *loop)) found.push_back(*panel);
      }
    }
    return found;
  }

 private:
  static bool writes(const BasicBlock& block) {
    return any_of(block, [](const Instruction& instruction) {
      auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction);
      if (intrinsic && (intrinsic->isAssumeLikeIntrinsic() ||
                        intrinsic->getIntrinsicID() == Intrinsic::prefetch))
        return false;
      return instruction.mayWriteToMemory() || !instruction.willReturn();
    });
  }
  static bool loop_writes(const Loop& loop) {
    return any_of(loop.blocks(), [](BasicBlock* block) { return writes(*block); });
  }

  /// Its rounds can be counted before it begins.
  bool is_counted(const Loop& loop) {
    return loop.getLoopPreheader() && loop.getLoopLatch() && loop.getExitingBlock() &&
           loop.isInnermost() && is_contained(code_.blocks(), loop.getLoopPreheader());
  }

  std::optional<PanelLoad> panel_of(LoadInst& load, const Loop& loop) {
    Dependence dependence = code_.dependence(&load);
    if (!load.getType()->isVectorTy() || !load.isSimple() || dependence.row || !dependence.column ||
        !dominators_.dominates(load.getParent(), loop.getExitingBlock()))
      return std::nullopt;
    auto* address = dyn_cast<SCEVAddRecExpr>(evolution_.getSCEV(load.getPointerOperand()));
    if (!address || address->getLoop() != &loop || !address->isAffine()) return std::nullopt;
    const SCEV* rounds = evolution_.getBackedgeTakenCount(&loop);
    Instruction* end = loop.getLoopPreheader()->getTerminator();
    Type* i64 = Type::getInt64Ty(function_.getContext());
    const SCEV* step = address->getStepRecurrence(evolution_);
    if (isa<SCEVCouldNotCompute>(rounds) || step->getType() != i64) return std::nullopt;
    // Where steps are short, as in tiles of shared memory, all is as near as a panel would be.
    if (auto* constant = dyn_cast<SCEVConstant>(step))
      if (constant->getAPInt().abs().ult(least_step)) return std::nullopt;
    rounds = evolution_.getTruncateOrZeroExtend(rounds, i64);
    rounds = evolution_.getAddExpr(rounds, evolution_.getOne(i64));
    for (const SCEV* one : {rounds, address->getStart(), step})
      if (!expander_.isSafeToExpandAt(one, end)) return std::nullopt;
    return PanelLoad{
        &load,
        loop.getLoopPreheader(),
        loop.getHeader(),
        loop.getLoopLatch(),
        expander_.expandCodeFor(address->getStart(), load.getPointerOperandType(), end),
        expander_.expandCodeFor(step, i64, end),
        expander_.expandCodeFor(rounds, i64, end)};
  }

  const RowVectors& vectors_;
  const RowCode& code_;
  OpaqueIndex index_;
  Function& function_;
  FunctionAnalyses analyses_;
  DominatorTree& dominators_ = analyses_.dominators;
  LoopInfo& loops_ = analyses_.loops;
  ScalarEvolution& evolution_ = analyses_.evolution;
  SCEVExpander expander_;
};

void prefetch(IRBuilder<>& builder, Value* line) {
  Value *reads = builder.getInt32(0), *stays = builder.getInt32(3), *data = builder.getInt32(1);
  builder.CreateIntrinsic(Intrinsic::prefetch, {line->getType()}, {line, reads, stays, data});
}

/// Writes the code of one panel.
class PanelWriter {
 public:
  PanelWriter(IRBuilder<>& builder, const Panels& panels, unsigned number,
              const PanelSource& source, Value* rounds)
      : builder_(builder),
        panels_(panels),
        source_(source),
        rounds_(rounds),
        type_(panels.loads[number].load->getType()),
        alignment_(panels.loads[number].load->getAlign()) {
    const DataLayout& layout = builder.GetInsertBlock()->getModule()->getDataLayout();
    vector_bytes_ = layout.getTypeStoreSize(type_).getFixedValue();
  }

  PanelSource write(unsigned number, Value* strip, Value* strips, Value* rows) {
    BasicBlock* before = builder_.GetInsertBlock();
    BasicBlock *test = block("panel.test"), *fill = block("panel.fill"),
               *filled = block("panel.filled"), *good = block("panel.good"),
               *after = block("panel.after");
    Value* count = builder_.getInt64(panels_.loads.size());
    Value* parts = builder_.CreateMul(count, wide(strips));
    // Two vectors' panels and three's lie apart: groups of both may take turns.
    Value* half = builder_.CreateAnd(builder_.CreateLShr(panels_.bytes, 1), -64);
    Value* memory = source_.first.size() == 2 ? panels_.memory : offset(panels_.memory, half);
    Value* room =
        builder_.CreateBinaryIntrinsic(Intrinsic::usub_sat, half, builder_.getInt64(label_bytes));
    Value* part_bytes = builder_.CreateAnd(builder_.CreateUDiv(room, parts), -64);
    Value* part =
        builder_.CreateAdd(builder_.CreateMul(wide(strip), count), builder_.getInt64(number));
    Value* label = offset(offset(memory, builder_.getInt64(label_bytes)),
                          builder_.CreateMul(part, part_bytes));
    data_ = offset(label, builder_.getInt64(label_bytes));
    Value* most =
        builder_.CreateUDiv(builder_.CreateBinaryIntrinsic(Intrinsic::usub_sat, part_bytes,
                                                           builder_.getInt64(label_bytes)),
                            round_bytes());
    Value* fits = builder_.CreateICmpULE(rounds_, most);
    fits =
        builder_.CreateAnd(fits, builder_.CreateICmpUGE(rounds_, builder_.getInt64(least_rounds)));
    fits =
        builder_.CreateAnd(fits, builder_.CreateICmpUGE(rows, builder_.getInt32(least_panel_rows)));
    builder_.CreateCondBr(fits, test, after);

    builder_.SetInsertPoint(test);
    Value* is_good = builder_.getTrue();
    std::vector<Value*> fields = {
        panels_.run, source_.first.front(),  source_.first.back(), source_.step,
        rounds_,     division(memory, parts)};
    static_assert(label_fields * 8 <= label_bytes);
    for (unsigned i = 0; i < label_fields; ++i) {
      Value* was = builder_.CreateLoad(fields[i]->getType(), field(label, i));
      is_good = builder_.CreateAnd(is_good, builder_.CreateICmpEQ(was, fields[i]));
    }
    builder_.CreateCondBr(is_good, good, fill);

    write_loop(fill, filled, test);
    builder_.SetInsertPoint(filled);
    for (unsigned i = 0; i < label_fields; ++i) builder_.CreateStore(fields[i], field(label, i));
    builder_.CreateBr(good);
    builder_.SetInsertPoint(good);
    PanelSource there;
    for (std::size_t i = 0; i < source_.first.size(); ++i)
      there.first.push_back(offset(data_, builder_.getInt64(i * vector_bytes_)));
    there.step = round_bytes();
    builder_.CreateBr(after);

    builder_.SetInsertPoint(after);
    auto either = [&](Value* copied, Value* plain) {
      PHINode* phi = builder_.CreatePHI(plain->getType(), 2);
      phi->addIncoming(copied, good);
      phi->addIncoming(plain, before);
      return phi;
    };
    PanelSource chosen;
    for (std::size_t i = 0; i < source_.first.size(); ++i)
      chosen.first.push_back(either(there.first[i], source_.first[i]));
    chosen.step = either(there.step, source_.step);
    return chosen;
  }

 private:
  BasicBlock* block(const char* name) {
    BasicBlock* before = builder_.GetInsertBlock();
    return BasicBlock::Create(before->getContext(), name, before->getParent(),
                              before->getNextNode());
  }
  Value* wide(Value* number) { return builder_.CreateZExt(number, builder_.getInt64Ty()); }
  Value* offset(Value* address, Value* bytes) {
    return builder_.CreateGEP(builder_.getInt8Ty(), address, bytes);
  }
  Value* field(Value* label, unsigned number) {
    return offset(label, builder_.getInt64(8 * std::uint64_t{number}));
  }
  /// Number of the division of the memory, which is another one once there are more or fewer parts:
  /// what is copied then may lie on others' copies and not on their labels.
  Value* division(Value* memory, Value* parts) {
    Type* i64 = builder_.getInt64Ty();
    Value* last = builder_.CreateLoad(i64, field(memory, 1));
    Value* is_same = builder_.CreateICmpEQ(builder_.CreateLoad(i64, field(memory, 0)), parts);
    Value* now =
        builder_.CreateSelect(is_same, last, builder_.CreateAdd(last, builder_.getInt64(1)));
    builder_.CreateStore(parts, field(memory, 0));
    builder_.CreateStore(now, field(memory, 1));
    return now;
  }
  Value* round_bytes() { return builder_.getInt64(source_.first.size() * vector_bytes_); }

  void write_loop(BasicBlock* fill, BasicBlock* done, BasicBlock* before) {
    builder_.SetInsertPoint(fill);
    PHINode* round = builder_.CreatePHI(builder_.getInt64Ty(), 2);
    Value* from = builder_.CreateMul(round, source_.step);
    Value* to = builder_.CreateMul(round, round_bytes());
    Value* ahead = builder_.CreateMul(builder_.getInt64(rounds_ahead), source_.step);
    for (std::size_t i = 0; i < source_.first.size(); ++i) {
      if (i * vector_bytes_ % bytes_of_line == 0)
        prefetch(builder_, offset(offset(source_.first[i], from), ahead));
      Value* value = builder_.CreateAlignedLoad(type_, offset(source_.first[i], from), alignment_);
      Value* place = offset(offset(data_, to), builder_.getInt64(i * vector_bytes_));
      builder_.CreateAlignedStore(value, place, Align(vector_bytes_ & (~vector_bytes_ + 1)));
    }
    Value* next = builder_.CreateAdd(round, builder_.getInt64(1), "", true, true);
    round->addIncoming(builder_.getInt64(0), before);
    round->addIncoming(next, fill);
    builder_.CreateCondBr(builder_.CreateICmpULT(next, rounds_), fill, done);
  }

  IRBuilder<>& builder_;
  const Panels& panels_;
  const PanelSource& source_;
  Value *rounds_, *data_ = nullptr;
  Type* type_;
  Align alignment_;
  std::uint64_t vector_bytes_ = 0;
};

}  // namespace

std::vector<PanelLoad> find_panels(const RowVectors& vectors, const RowCode& code) {
  return PanelFinder(vectors, code).find();
}

Panels begin_panels(Function& function, std::vector<PanelLoad> loads) {
  IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  Value* block = function.getArg(0);
  auto load = [&](Type* type, std::size_t offset, const char* name) {
    return builder.CreateLoad(type, field_address(builder, block, offset), name);
  };
  Type* i64 = builder.getInt64Ty();
  Panels panels{load(builder.getPtrTy(), offsetof(abi::BlockContext, panel), "panel"),
                load(i64, offsetof(abi::BlockContext, panel_bytes), "panel_bytes"),
                load(i64, offsetof(abi::BlockContext, run), "run"), std::move(loads)};
  if (function.hasFnAttribute(without_barriers)) return panels;
  panels.run = builder.CreateAdd(panels.run, builder.getInt64(1));
  builder.CreateStore(panels.run, field_address(builder, block, offsetof(abi::BlockContext, run)));
  return panels;
}

PanelSource write_panel(IRBuilder<>& builder, const Panels& panels, unsigned number,
                        const PanelSource& source, Value* rounds, Value* strip, Value* strips,
                        Value* rows) {
  return PanelWriter(builder, panels, number, source, rounds).write(number, strip, strips, rows);
}

void prefetch_from_panel(IRBuilder<>& builder, Value* place, Value* step) {
  constexpr std::uint64_t rounds = 16;
  Value* ahead = builder.CreateMul(step, builder.getInt64(rounds));
  prefetch(builder, builder.CreateGEP(builder.getInt8Ty(), place, ahead));
}

}  // namespace gridspan::transforms
