// Tells accesses by their parameters; marks them in a copy.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/distinct_arguments.h"

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

/// Plain accesses and the pointer parameters they go through.
using Accesses = MapVector<Instruction*, Argument*>;

/// None if some memory is reached in another way, or by another kind of access.
std::optional<Accesses> find_accesses(Function& kernel) {
  Accesses found;
  for (Instruction& instruction : instructions(kernel)) {
    if (as_sync_point(instruction)) return std::nullopt;
    if (!instruction.mayReadOrWriteMemory()) continue;
    auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction);
    if (intrinsic && intrinsic->isAssumeLikeIntrinsic()) continue;
    Value* address = getLoadStorePointerOperand(&instruction);
    if (!address || instruction.isAtomic() || instruction.isVolatile()) return std::nullopt;
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
bool is_of_use(const Accesses& accesses, const LoopInfo& loops) {
  return any_of(accesses, [&](auto& stored) {
    auto* store = dyn_cast<StoreInst>(stored.first);
    const Loop* loop = store ? loops.getLoopFor(store->getParent()) : nullptr;
    if (!loop || !loop->isLoopInvariant(store->getPointerOperand())) return false;
    return any_of(accesses, [&](auto& other) {
      return other.second != stored.second && loop->contains(other.first);
    });
  });
}

/// A scope for each parameter: in it alone, or outside all others.
void mark(const Accesses& accesses) {
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
  if (!is_of_use(*accesses, LoopInfo(dominators))) return nullptr;
  ValueToValueMapTy map;
  Function* copy = CloneFunction(&kernel, map);
  copy->setLinkage(GlobalValue::InternalLinkage);
  copy->setName(kernel.getName() + ".distinct");
  mark(*find_accesses(*copy));
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
