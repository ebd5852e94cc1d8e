// Compares subscripts of loads and stores that are the block's.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/handed_on.h"

#include "transforms/context.h"
#include "transforms/function_analyses.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InstIterator.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

using Values = DenseSet<const Value*>;

/// What is computed from registers of this group; not what memory or control flow carries on.
Values computed_from(Function& kernel, SpecialRegister::Group group) {
  Values found;
  SmallVector<const Value*> open;
  for (const Instruction& instruction : instructions(kernel))
    if (special_register(&instruction).group == group) open.push_back(&instruction);
  while (!open.empty()) {
    const Value* value = open.pop_back_val();
    if (!found.insert(value).second) continue;
    for (const User* user : value->users()) open.push_back(user);
  }
  return found;
}

/// An array that is an argument, or a member of one passed by value.
struct Array {
  const Argument* argument = nullptr;
  int64_t member = -1;  // at this byte; -1: the argument itself
  bool operator==(const Array&) const = default;
};

Array array_of(const Value* base, const DataLayout& layout) {
  if (auto* argument = dyn_cast<Argument>(base))
    return argument->hasByValAttr() ? Array() : Array{argument};
  auto* load = dyn_cast<LoadInst>(base);
  if (!load) return {};
  APInt offset(layout.getIndexTypeSizeInBits(load->getPointerOperandType()), 0);
  auto* argument = dyn_cast<Argument>(
      load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true));
  if (!argument || !argument->hasByValAttr()) return {};
  return {argument, offset.getSExtValue()};
}

struct Access {
  Array array;
  const SCEV* subscript;  // in bytes
};

/// Whose rounds the number varies with.
SmallPtrSet<const Loop*, 4> loops_in(const SCEV* number) {
  SmallPtrSet<const Loop*, 4> found;
  SCEVExprContains(number, [&](const SCEV* part) {
    if (auto* recurrence = dyn_cast<SCEVAddRecExpr>(part)) found.insert(recurrence->getLoop());
    return false;
  });
  return found;
}

}  // namespace

bool blocks_hand_on(Function& kernel) {
  const Values of_block = computed_from(kernel, SpecialRegister::block_index);
  if (of_block.empty()) return false;
  const Values of_thread = computed_from(kernel, SpecialRegister::thread_index);
  SmallVector<const Instruction*> candidates;
  bool any_load = false, any_store = false;
  for (const Instruction& instruction : instructions(kernel)) {
    const Value* pointer = getLoadStorePointerOperand(&instruction);
    if (!pointer || !of_block.contains(pointer) || of_thread.contains(pointer)) continue;
    candidates.push_back(&instruction);
    (isa<LoadInst>(instruction) ? any_load : any_store) = true;
  }
  if (!any_load || !any_store) return false;

  FunctionAnalyses analyses(kernel);
  ScalarEvolution& evolution = analyses.evolution;
  const DataLayout& layout = kernel.getParent()->getDataLayout();
  SmallVector<Access> loads, stores;
  for (const Instruction* instruction : candidates) {
    const SCEV* address =
        evolution.getSCEV(const_cast<Value*>(getLoadStorePointerOperand(instruction)));
    auto* base = dyn_cast<SCEVUnknown>(evolution.getPointerBase(address));
    if (!base) continue;
    const Array array = array_of(base->getValue(), layout);
    if (!array.argument) continue;
    (isa<LoadInst>(instruction) ? loads : stores)
        .push_back({array, evolution.removePointerBase(address)});
  }
  auto is_handed_on = [&](const Access& load, const Access& store) {
    // In rounds of different loops a block may meet its own elements.
    return load.array == store.array && load.subscript != store.subscript &&
           loops_in(load.subscript) == loops_in(store.subscript);
  };
  return any_of(loads, [&](const Access& load) {
    return any_of(stores, [&](const Access& store) { return is_handed_on(load, store); });
  });
}

}  // namespace gridspan::transforms
