// Finds accesses whose address is shared memory, and what may write there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/shared_volatile.h"

#include "transforms/arrays_of_launch.h"
#include "transforms/context.h"
#include "transforms/sync_points.h"

#include "llvm/ADT/STLFunctionalExtras.h"
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

/// Memory that a pointer may be into, and what is known to be other memory.
struct Memory {
  explicit Memory(const Value& pointer) {
    getUnderlyingObjects(&pointer, objects);
    is_named = all_of(objects, [](const Value* one) { return isa<Argument, GlobalValue>(one); });
  }

  bool may_be(const Value& pointer) const {
    const Memory other(pointer);
    if (all_of(other.objects, [](const Value* one) {
          return isa<AllocaInst, ConstantPointerNull>(one) || is_shared_object(one);
        }))
      return false;
    return !is_named || !other.is_named || any_of(objects, [&](const Value* one) {
      return any_of(other.objects,
                    [&](const Value* another) { return may_be_one_array(*one, *another); });
    });
  }

  SmallVector<const Value*> objects;
  bool is_named;
};

/// Whatever it is, it may write where `is_meant` says so of a pointer.
bool may_write(const Instruction& instruction, function_ref<bool(const Value& pointer)> is_meant) {
  if (!instruction.mayWriteToMemory() || isa<FenceInst>(instruction)) return false;
  if (const auto* load = dyn_cast<LoadInst>(&instruction)) return load->isAtomic();
  if (const auto* store = dyn_cast<StoreInst>(&instruction))
    return is_meant(*store->getPointerOperand());
  if (const auto* update = dyn_cast<AtomicRMWInst>(&instruction))
    return is_meant(*update->getPointerOperand());
  if (const auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return is_meant(*exchange->getPointerOperand());
  if (const auto* set = dyn_cast<MemIntrinsic>(&instruction)) return is_meant(*set->getDest());
  return !isa<DbgInfoIntrinsic, AssumeInst, LifetimeIntrinsic>(instruction);
}

enum class Met { nothing, sync_point, write };

/// Goes from the load to sync points. `rest`, `whole` and `next`: the instructions of a block, and
/// the blocks that follow, in the one direction or the other.
template <class Meet, class Rest, class Whole, class Next>
bool comes_to_sync_points(BasicBlock* block, Meet meet, Rest rest, Whole whole, Next next) {
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
  return may_write(instruction, may_be_shared);
}

bool is_in_shared_memory(const Value& pointer) {
  SmallVector<const Value*> objects;
  getUnderlyingObjects(&pointer, objects);
  return all_of(objects, is_shared_object);
}

bool reads_settled_memory(const LoadInst& load) {
  const bool is_shared = is_in_shared_memory(*load.getPointerOperand());
  const Memory memory(*load.getPointerOperand());
  const auto meet = [&](Instruction& instruction) {
    if (as_sync_point(instruction)) return Met::sync_point;
    const bool writes =
        is_shared ? may_write_shared(instruction)
                  : may_write(instruction, [&](const Value& one) { return memory.may_be(one); });
    return writes ? Met::write : Met::nothing;
  };
  auto& at = const_cast<LoadInst&>(load);
  BasicBlock* const block = at.getParent();
  const auto forward = [](BasicBlock& one) { return make_range(one.begin(), one.end()); };
  const auto backward = [](BasicBlock& one) { return make_range(one.rbegin(), one.rend()); };
  return comes_to_sync_points(block, meet, make_range(std::next(at.getIterator()), block->end()),
                              forward, [](BasicBlock* from) { return successors(from); }) &&
         comes_to_sync_points(block, meet,
                              make_range(std::next(at.getReverseIterator()), block->rend()),
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
