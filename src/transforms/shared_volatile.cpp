// Finds accesses whose address is shared memory, and what may write there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/shared_volatile.h"

#include "transforms/context.h"
#include "transforms/sync_points.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

bool is_shared_object(const Value* object) {
  return is_marker(object, Marker::shared) || is_marker(object, Marker::dynamic_shared);
}

/// A struct that the kernel takes by value, or a part of one.
bool is_in_argument(const Value& pointer) {
  const auto* argument = dyn_cast<Argument>(getUnderlyingObject(&pointer));
  return argument && argument->hasByValAttr();
}

/// No pointer into shared memory outlives its block, so none is an argument of a kernel, nor in
/// one.
bool may_be_shared(const Value& pointer) {
  SmallVector<const Value*> objects;
  getUnderlyingObjects(&pointer, objects);
  return any_of(objects, [](const Value* object) {
    if (const auto* load = dyn_cast<LoadInst>(object))
      return !is_in_argument(*load->getPointerOperand());
    return !isa<AllocaInst, Argument, GlobalValue, ConstantPointerNull>(object);
  });
}

enum class Met { nothing, sync_point, write };

Met meet(Instruction& instruction) {
  if (as_sync_point(instruction)) return Met::sync_point;
  return may_write_shared(instruction) ? Met::write : Met::nothing;
}

/// Goes from the load to sync points. `around`: the instructions of a block, and the blocks that
/// follow, in the one direction or the other.
template <class Rest, class Whole, class Next>
bool comes_to_sync_points(BasicBlock* block, Rest rest, Whole whole, Next next) {
  SetVector<BasicBlock*> blocks;
  const auto go_on = [&](auto&& instructions, BasicBlock* from) {
    for (Instruction& instruction : instructions) {
      const Met met = meet(instruction);
      if (met != Met::nothing) return met == Met::sync_point;
    }
    for (BasicBlock* one : next(from)) blocks.insert(one);
    return true;
  };
  if (!go_on(rest, block)) return false;
  for (unsigned i = 0; i < blocks.size(); ++i)
    if (!go_on(whole(*blocks[i]), blocks[i])) return false;
  return true;
}

}  // namespace

bool may_write_shared(const Instruction& instruction) {
  if (!instruction.mayWriteToMemory() || isa<FenceInst>(instruction)) return false;
  if (const auto* load = dyn_cast<LoadInst>(&instruction)) return load->isAtomic();
  if (const auto* store = dyn_cast<StoreInst>(&instruction))
    return may_be_shared(*store->getPointerOperand());
  if (const auto* update = dyn_cast<AtomicRMWInst>(&instruction))
    return may_be_shared(*update->getPointerOperand());
  if (const auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return may_be_shared(*exchange->getPointerOperand());
  if (const auto* set = dyn_cast<MemIntrinsic>(&instruction)) return may_be_shared(*set->getDest());
  if (isa<DbgInfoIntrinsic, AssumeInst, LifetimeIntrinsic>(instruction)) return false;
  return true;
}

bool is_in_shared_memory(const Value& pointer) {
  SmallVector<const Value*> objects;
  getUnderlyingObjects(&pointer, objects);
  return all_of(objects, is_shared_object);
}

bool reads_settled_memory(const LoadInst& load) {
  if (!is_in_shared_memory(*load.getPointerOperand())) return false;
  auto& at = const_cast<LoadInst&>(load);
  BasicBlock* const block = at.getParent();
  const auto forward = [](BasicBlock& one) { return make_range(one.begin(), one.end()); };
  const auto backward = [](BasicBlock& one) { return make_range(one.rbegin(), one.rend()); };
  return comes_to_sync_points(block, make_range(std::next(at.getIterator()), block->end()), forward,
                              [](BasicBlock* from) { return successors(from); }) &&
         comes_to_sync_points(block, make_range(std::next(at.getReverseIterator()), block->rend()),
                              backward, [](BasicBlock* from) { return predecessors(from); });
}

void make_shared_volatile_plain(Function& kernel) {
  for (Instruction& instruction : instructions(kernel)) {
    if (auto* load = dyn_cast<LoadInst>(&instruction);
        load && load->isVolatile() && is_in_shared_memory(*load->getPointerOperand()))
      load->setVolatile(false);
    if (auto* store = dyn_cast<StoreInst>(&instruction);
        store && store->isVolatile() && is_in_shared_memory(*store->getPointerOperand()))
      store->setVolatile(false);
  }
}

}  // namespace gridspan::transforms
