// Replaces uses of staged tiles by what these hold.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/read_through.h"

#include "transforms/block_order.h"
#include "transforms/context.h"
#include "transforms/function_analyses.h"
#include "transforms/rolled_loops.h"
#include "transforms/staged_tiles.h"
#include "transforms/sync_points.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

class ThroughReader {
 public:
  explicit ThroughReader(Function& kernel)
      : kernel_(kernel), analyses_(kernel), order_(kernel, dominators_, loops_, evolution_) {}

  /// Changes the kernel if it says so.
  bool run(std::array<std::uint32_t, 3>& block) {
    auto found = find_staged_tiles(kernel_, evolution_);
    if (!found || !order_.has_plain_barriers_only() || !other_memory_is_apart(*found)) return false;
    for (const StagedTile& tile : found->tiles)
      if (!is_current(tile) || !can_repeat(tile.source->getPointerOperand())) return false;
    SCEVExpander expander(evolution_, kernel_.getParent()->getDataLayout(), "thread");
    for (const StagedTile& tile : found->tiles)
      for (const TileUse& use : tile.uses) replace(tile, use, expander);
    for (const StagedTile& tile : found->tiles) tile.fill->eraseFromParent();
    for (Instruction* barrier : order_.barriers()) barrier->eraseFromParent();
    block = found->block;
    return true;
  }

 private:
  /// Everybody fills, and a use reads what was filled in the same round.
  bool is_current(const StagedTile& tile) {
    if (!order_.is_reached_by_all(*tile.fill)) return false;
    const Loop* loop = loops_.getLoopFor(tile.fill->getParent());
    return all_of(tile.uses, [&](const TileUse& use) {
      return dominators_.dominates(tile.fill, use.load) && (!loop || loop->contains(use.load)) &&
             order_.has_barrier_between(*tile.fill, *use.load) &&
             order_.has_barrier_between(*use.load, *tile.fill);
    });
  }

  /// Plain accesses of arrays. What is stored to is neither what tiles are copies of nor passed
  /// from thread to thread.
  bool other_memory_is_apart(const StagedTiles& staged) {
    SmallPtrSet<Instruction*, 16> of_tiles;
    for (const StagedTile& tile : staged.tiles) {
      of_tiles.insert(tile.fill);
      for (const TileUse& use : tile.uses) of_tiles.insert(use.load);
    }
    MapVector<Value*, SmallVector<Instruction*>> accesses;
    for (Instruction& instruction : instructions(kernel_)) {
      if (!instruction.mayReadOrWriteMemory() || as_sync_point(instruction)) continue;
      auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction);
      if ((intrinsic && intrinsic->isAssumeLikeIntrinsic()) || of_tiles.contains(&instruction))
        continue;
      Value* address = getLoadStorePointerOperand(&instruction);
      if (!address || instruction.isAtomic() || instruction.isVolatile()) return false;
      Value* object = getUnderlyingObject(address, 0);
      if (!isa<Argument, AllocaInst>(object)) return false;
      if (!isa<AllocaInst>(object)) accesses[object].push_back(&instruction);
    }
    auto is_stored = [&](Value* object) {
      return any_of(accesses[object], [](Instruction* one) { return isa<StoreInst>(one); });
    };
    for (const StagedTile& tile : staged.tiles)
      if (is_stored(getUnderlyingObject(tile.source->getPointerOperand(), 0))) return false;
    return all_of(accesses, [&](auto& one) {
      return !is_stored(one.first) || !order_.any_cross_barrier(one.second);
    });
  }

  /// The value is the same for all threads of a block, or can be computed for another one.
  bool can_repeat(Value* value) {
    if (!order_.differs(value)) return true;
    if (special_register(value).group == SpecialRegister::thread_index) return true;
    auto* instruction = dyn_cast<Instruction>(value);
    if (!instruction || instruction->mayReadOrWriteMemory()) return false;
    if (!isa<BinaryOperator, CastInst, GetElementPtrInst, CmpInst, SelectInst>(instruction))
      return false;
    return all_of(instruction->operands(), [&](Use& operand) { return can_repeat(operand); });
  }

  void replace(const StagedTile& tile, const TileUse& use, SCEVExpander& expander) {
    DenseMap<Value*, Value*> known;
    Value* address = value_for(tile.source->getPointerOperand(), use, expander, known);
    IRBuilder<> builder(use.load);
    LoadInst* load = builder.CreateAlignedLoad(tile.source->getType(), address,
                                               tile.source->getAlign(), use.load->getName());
    use.load->replaceAllUsesWith(load);
    evolution_.forgetValue(use.load);
    use.load->eraseFromParent();
  }

  /// `value` as it was for the thread that filled the place.
  Value* value_for(Value* value, const TileUse& use, SCEVExpander& expander,
                   DenseMap<Value*, Value*>& known) {
    if (!order_.differs(value)) return value;
    if (Value* there = known.lookup(value)) return there;
    Value* made = nullptr;
    Value* number = isa<ZExtInst, SExtInst>(value) ? cast<CastInst>(value)->getOperand(0) : value;
    const auto [group, axis] = special_register(number);
    if (group == SpecialRegister::thread_index) {
      made = value;
      if (const SCEV* thread = use.thread[axis]) {  // at most 1023, however wide
        Value* wide = expander.expandCodeFor(thread, thread->getType(), use.load->getIterator());
        IRBuilder<> builder(use.load);
        made = builder.CreateZExtOrTrunc(wide, value->getType());
      }
    } else {
      auto* from = cast<Instruction>(value);
      SmallVector<Value*> operands;
      for (Value* operand : from->operands())
        operands.push_back(value_for(operand, use, expander, known));
      Instruction* copy = from->clone();
      for (auto [i, operand] : enumerate(operands))
        copy->setOperand(static_cast<unsigned>(i), operand);
      copy->insertBefore(use.load);
      made = copy;
    }
    return known[value] = made;
  }

  Function& kernel_;
  FunctionAnalyses analyses_;
  DominatorTree& dominators_ = analyses_.dominators;
  LoopInfo& loops_ = analyses_.loops;
  ScalarEvolution& evolution_ = analyses_.evolution;
  BlockOrder order_;
};

bool may_have_tiles(Function& kernel) {
  return any_of(instructions(kernel),
                [](Instruction& one) { return is_marker(&one, Marker::shared); });
}

}  // namespace

ReadThrough copy_reading_through(Function& kernel) {
  if (!may_have_tiles(kernel)) return {};
  ValueToValueMapTy map;
  Function* copy = CloneFunction(&kernel, map);
  copy->setLinkage(GlobalValue::InternalLinkage);
  copy->setName(kernel.getName() + ".through");
  ReadThrough made{copy};
  if (ThroughReader(*copy).run(made.block)) {
    allow_unrolling(*copy);
    return made;
  }
  copy->eraseFromParent();
  return {};
}

}  // namespace gridspan::transforms
