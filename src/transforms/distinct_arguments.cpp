// Tells accesses by their parameters; marks them in a copy.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/distinct_arguments.h"

#include "transforms/appends.h"
#include "transforms/sync_points.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <optional>

namespace gridspan::transforms {

using namespace llvm;

namespace {

/// Accesses and the pointer parameters they go through.
using ArgumentAccesses = MapVector<Instruction*, Argument*>;

/// Orders nothing but its own address.
bool is_relaxed_update(const Instruction& instruction) {
  if (auto* update = dyn_cast<AtomicRMWInst>(&instruction))
    return update->getOrdering() == AtomicOrdering::Monotonic;
  auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction);
  return exchange && exchange->getMergedOrdering() == AtomicOrdering::Monotonic;
}

/// None if some memory is reached in another way, or by another kind of access.
std::optional<ArgumentAccesses> find_accesses(Function& kernel) {
  ArgumentAccesses found;
  for (Instruction& instruction : instructions(kernel)) {
    if (as_sync_point(instruction)) return std::nullopt;
    if (!instruction.mayReadOrWriteMemory()) continue;
    auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction);
    if (intrinsic && intrinsic->isAssumeLikeIntrinsic()) continue;
    Value* address = getLoadStorePointerOperand(&instruction);
    if (is_relaxed_update(instruction)) address = instruction.getOperand(0);
    if (!address || instruction.isVolatile()) return std::nullopt;
    if (instruction.isAtomic() && !is_relaxed_update(instruction)) return std::nullopt;
    Value* object = getUnderlyingObject(address, 0);
    auto* argument = dyn_cast<Argument>(object);
    bool is_own = isa<AllocaInst>(object) || (argument && argument->hasByValAttr());
    if (is_own) continue;
    if (!argument) return std::nullopt;
    found[&instruction] = argument;
  }
  return found;
}

/// A loop stores to one and the same place, and reads through another parameter.
bool is_of_use(const ArgumentAccesses& accesses, const LoopInfo& loops) {
  return any_of(accesses, [&](auto& stored) {
    auto* store = dyn_cast<StoreInst>(stored.first);
    const Loop* loop = store ? loops.getLoopFor(store->getParent()) : nullptr;
    if (!loop || !loop->isLoopInvariant(store->getPointerOperand())) return false;
    return any_of(accesses, [&](auto& other) {
      return other.second != stored.second && loop->contains(other.first);
    });
  });
}

/// Of those that append, the ones to arrays, and with counters, that nothing else goes to.
SmallVector<Append> appends_alone(const ArgumentAccesses& accesses) {
  SmallVector<Append> found;
  for (auto [access, argument] : accesses)
    if (auto* update = dyn_cast<AtomicRMWInst>(access))
      if (auto append = find_append(*update)) found.push_back(*append);
  for (bool changed = true; changed;) {
    SmallPtrSet<Instruction*, 8> known;
    for (const Append& append : found) {
      known.insert(append.update);
      known.insert(append.stores.begin(), append.stores.end());
    }
    SmallPtrSet<Argument*, 8> shared, counters;
    for (auto [access, argument] : accesses) {
      if (!known.contains(access)) shared.insert(argument);
      if (known.contains(access) && isa<AtomicRMWInst>(access)) counters.insert(argument);
    }
    for (auto [access, argument] : accesses)
      if (isa<StoreInst>(access) && counters.contains(argument)) shared.insert(argument);
    const std::size_t before = found.size();
    erase_if(found, [&](const Append& append) {
      auto is_shared = [&](Instruction* one) {
        return shared.contains(accesses.find(one)->second);
      };
      return is_shared(append.update) || any_of(append.stores, is_shared);
    });
    changed = found.size() != before;
  }
  return found;
}

/// A scope for each parameter: in it alone, or outside all others.
void mark_scopes(const ArgumentAccesses& accesses) {
  SmallSetVector<Argument*, 8> arguments;
  for (auto [access, argument] : accesses) arguments.insert(argument);
  LLVMContext& context = accesses.begin()->first->getContext();
  MDBuilder builder(context);
  MDNode* domain = builder.createAnonymousAliasScopeDomain();
  DenseMap<Argument*, Metadata*> scopes;
  for (Argument* argument : arguments)
    scopes[argument] = builder.createAnonymousAliasScope(domain, argument->getName());
  for (auto [access, own] : accesses) {
    SmallVector<Metadata*> others;
    for (Argument* argument : arguments)
      if (argument != own) others.push_back(scopes[argument]);
    auto add = [&, instruction = access](unsigned kind, ArrayRef<Metadata*> list) {
      MDNode* before = instruction->getMetadata(kind);
      instruction->setMetadata(kind, MDNode::concatenate(before, MDNode::get(context, list)));
    };
    add(LLVMContext::MD_alias_scope, {scopes[own]});
    add(LLVMContext::MD_noalias, others);
  }
}

}  // namespace

Function* copy_for_distinct_arguments(Function& kernel) {
  auto accesses = find_accesses(kernel);
  if (!accesses || accesses->empty()) return nullptr;
  DominatorTree dominators(kernel);
  const bool updates =
      any_of(*accesses, [](const auto& one) { return is_relaxed_update(*one.first); });
  if (updates ? appends_alone(*accesses).empty() : !is_of_use(*accesses, LoopInfo(dominators)))
    return nullptr;
  ValueToValueMapTy map;
  Function* copy = CloneFunction(&kernel, map);
  copy->setLinkage(GlobalValue::InternalLinkage);
  copy->setName(kernel.getName() + ".distinct");
  accesses = find_accesses(*copy);
  mark_scopes(*accesses);
  for (const Append& append : appends_alone(*accesses)) mark_append(*append.update);
  return copy;
}

unsigned count_stores_in_loops(Function& function) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  return count_if(instructions(function), [&](Instruction& instruction) {
    return isa<StoreInst>(instruction) && loops.getLoopFor(instruction.getParent());
  });
}

}  // namespace gridspan::transforms
