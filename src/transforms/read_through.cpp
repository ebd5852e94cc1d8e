// Replaces uses of staged tiles by what these hold.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/read_through.h"

#include "transforms/block_order.h"
#include "transforms/context.h"
#include "transforms/flatten_loops.h"
#include "transforms/function_analyses.h"
#include "transforms/padded_rounds.h"
#include "transforms/plain_places.h"
#include "transforms/rolled_loops.h"
#include "transforms/staged_tiles.h"
#include "transforms/store_guard.h"
#include "transforms/sync_points.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

class ThroughReader {
 public:
  explicit ThroughReader(Function& kernel)
      : kernel_(kernel), analyses_(kernel), order_(kernel, dominators_, loops_, evolution_) {}

  /// False: it could not be done, perhaps not to its end.
  bool run(ReadThrough& made) {
    auto found = find_staged_tiles(kernel_, evolution_);
    if (!found || !order_.has_plain_barriers_only() || !other_memory_is_apart(*found)) return false;
    for (const StagedTile& tile : found->tiles)
      if (!is_current(tile) || !can_repeat(tile)) return false;
    made.is_small = count_loops(*found);
    StoreGuard stores(kernel_, dominators_, evolution_);
    SCEVExpander expander(evolution_, kernel_.getParent()->getDataLayout(), "thread");
    for (const StagedTile& tile : found->tiles)
      for (const TileUse& use : tile.uses)
        if (!replace(tile, use, stores, expander)) return false;
    for (const StagedTile& tile : found->tiles) remove(tile);
    for (Instruction* barrier : order_.barriers()) barrier->eraseFromParent();
    if (any_of(found->tiles, [](const StagedTile& tile) { return tile.guarded; })) stores.hoist();
    made.block = found->block;
    return true;
  }

 private:
  /// Loops over tiles know how often they go round, wherever the block is: true if some did not.
  bool count_loops(const StagedTiles& staged) {
    PlaceAlgebra algebra(kernel_, evolution_, staged.block);
    bool changed = false;
    for (const StagedTile& tile : staged.tiles)
      if (Loop* loop = loops_.getLoopFor(tile.fill->getParent()))
        changed |= count_from_zero(*loop, staged, dominators_, algebra, evolution_);
    return changed;
  }

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

  /// It is the same for all threads of a block, and known where the tile is used.
  bool is_at_hand(Value* value, const TileUse& use) {
    auto* instruction = dyn_cast<Instruction>(value);
    return !instruction || (!order_.differs(value) && dominators_.dominates(instruction, use.load));
  }

  /// The value is at hand, or can be computed for another thread.
  bool can_repeat(Value* value, const TileUse& use) {
    if (is_at_hand(value, use)) return true;
    if (special_register(value).group == SpecialRegister::thread_index) return true;
    auto* instruction = cast<Instruction>(value);
    if (!isa<BinaryOperator, CastInst, GetElementPtrInst, CmpInst, SelectInst>(instruction))
      return false;
    return all_of(instruction->operands(), [&](Use& operand) { return can_repeat(operand, use); });
  }

  bool can_repeat(const StagedTile& tile) {
    return all_of(tile.uses, [&](const TileUse& use) {
      return can_repeat(tile.source->getPointerOperand(), use) &&
             all_of(tile.guards,
                    [&](BranchInst* guard) { return can_repeat(guard->getCondition(), use); });
    });
  }

  /// Threads that store nothing will not read either.
  bool replace(const StagedTile& tile, const TileUse& use, const StoreGuard& stores,
               SCEVExpander& expander) {
    DenseMap<Value*, Value*> known;
    Value* address = value_for(tile.source->getPointerOperand(), use, expander, known);
    IRBuilder<> builder(use.load);
    LoadInst* load = builder.CreateAlignedLoad(tile.source->getType(), address,
                                               tile.source->getAlign(), use.load->getName());
    Value* value = load;
    for (BranchInst* guard : tile.guards) {
      const bool loads_if = guard->getSuccessor(1) == tile.guarded->getParent();
      Parts parts;
      if (!take_apart(value_for(guard->getCondition(), use, expander, known), loads_if, parts))
        return false;
      for (auto [part, holds] : parts)
        if (!stores.implies(part, holds))
          value =
              write_zero_outside(builder, holding(*cast<ICmpInst>(part), holds, builder), value);
    }
    use.load->replaceAllUsesWith(value);
    evolution_.forgetValue(use.load);
    use.load->eraseFromParent();
    return true;
  }

  static Value* holding(ICmpInst& test, bool holds, IRBuilder<>& builder) {
    if (holds) return &test;
    return builder.CreateICmp(test.getInversePredicate(), test.getOperand(0), test.getOperand(1));
  }

  /// Also the branches around what nobody loads any more.
  static void remove(const StagedTile& tile) {
    tile.fill->eraseFromParent();
    if (!tile.guarded && tile.source->use_empty()) tile.source->eraseFromParent();
    if (!tile.guarded || !tile.guarded->use_empty()) return;
    BasicBlock* behind = tile.guarded->getParent();
    SmallVector<BasicBlock*> inside{tile.source->getParent()};
    for (BranchInst* guard : drop_end(tile.guards)) inside.push_back(guard->getParent());
    tile.guarded->eraseFromParent();
    if (!tile.source->use_empty() || !behind->phis().empty()) return;
    tile.source->eraseFromParent();
    for (BasicBlock* block : inside)
      for (Instruction& one : *block)
        if (one.mayHaveSideEffects() || one.mayReadFromMemory()) return;
    BranchInst* first = tile.guards.back();
    BranchInst::Create(behind, first);
    first->eraseFromParent();
    DeleteDeadBlocks(inside);
  }

  /// `value` as it was for the thread that filled the place.
  Value* value_for(Value* value, const TileUse& use, SCEVExpander& expander,
                   DenseMap<Value*, Value*>& known) {
    if (is_at_hand(value, use)) return value;
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

/// Rounds in which what is read is zero, and must not be read, go as their loops become one.
bool leave_out_padding(Function& kernel) {
  auto has_some = [&] {
    return any_of(instructions(kernel), [](Instruction& one) { return is_zero_outside(one); });
  };
  return !has_some() || (flatten_loops(kernel) && !has_some());
}

}  // namespace

ReadThrough copy_reading_through(Function& kernel) {
  if (!may_have_tiles(kernel)) return {};
  ValueToValueMapTy map;
  Function* copy = CloneFunction(&kernel, map);
  copy->setLinkage(GlobalValue::InternalLinkage);
  copy->setName(kernel.getName() + ".through");
  ReadThrough made{copy};
  if (ThroughReader(*copy).run(made) && leave_out_padding(*copy)) {
    allow_unrolling(*copy);
    return made;
  }
  copy->eraseFromParent();
  return {};
}

}  // namespace gridspan::transforms
