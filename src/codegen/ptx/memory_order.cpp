// Barriers for memory, of the scope that the operation names.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/ptx/memory_order.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

namespace gridspan::codegen::ptx {

using namespace llvm;

namespace {

/// clang's names: "block" is a thread block, "agent" or "device" the GPU; "" is everybody.
void add_barrier(Instruction& before, SyncScope::ID scope) {
  if (scope == SyncScope::SingleThread) return;
  SmallVector<StringRef> names;
  before.getContext().getSyncScopeNames(names);
  const StringRef name = scope < names.size() ? names[scope] : "";
  const Intrinsic::ID barrier = name == "block" || name == "workgroup" || name == "warp"
                                    ? Intrinsic::nvvm_membar_cta
                                : name == "device" || name == "agent" ? Intrinsic::nvvm_membar_gl
                                                                      : Intrinsic::nvvm_membar_sys;
  IRBuilder<>(&before).CreateIntrinsic(barrier, {}, {});
}

struct Order {
  AtomicOrdering ordering;
  SyncScope::ID scope;
};

std::optional<Order> order_of(const Instruction& instruction) {
  if (const auto* load = dyn_cast<LoadInst>(&instruction))
    return Order{load->getOrdering(), load->getSyncScopeID()};
  if (const auto* store = dyn_cast<StoreInst>(&instruction))
    return Order{store->getOrdering(), store->getSyncScopeID()};
  if (const auto* update = dyn_cast<AtomicRMWInst>(&instruction))
    return Order{update->getOrdering(), update->getSyncScopeID()};
  if (const auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return Order{exchange->getMergedOrdering(), exchange->getSyncScopeID()};
  if (const auto* fence = dyn_cast<FenceInst>(&instruction))
    return Order{fence->getOrdering(), fence->getSyncScopeID()};
  return std::nullopt;
}

void relax(Instruction& instruction) {
  constexpr AtomicOrdering monotonic = AtomicOrdering::Monotonic;
  if (auto* load = dyn_cast<LoadInst>(&instruction)) load->setOrdering(monotonic);
  if (auto* store = dyn_cast<StoreInst>(&instruction)) store->setOrdering(monotonic);
  if (auto* update = dyn_cast<AtomicRMWInst>(&instruction)) update->setOrdering(monotonic);
  if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
    exchange->setSuccessOrdering(monotonic);
    exchange->setFailureOrdering(monotonic);
  }
}

void order(Instruction& instruction) {
  const auto known = order_of(instruction);
  if (!known || !isStrongerThan(known->ordering, AtomicOrdering::Monotonic)) return;
  if (isa<FenceInst>(instruction)) {
    add_barrier(instruction, known->scope);
    instruction.eraseFromParent();
    return;
  }
  // A sequentially consistent load must not pass an earlier store.
  const bool is_total = known->ordering == AtomicOrdering::SequentiallyConsistent;
  if (is_total || isReleaseOrStronger(known->ordering)) add_barrier(instruction, known->scope);
  if (isAcquireOrStronger(known->ordering)) add_barrier(*instruction.getNextNode(), known->scope);
  relax(instruction);
}

}  // namespace

void order_memory(Module& module) {
  for (Function& function : module)
    for (Instruction& instruction : make_early_inc_range(instructions(function)))
      order(instruction);
}

}  // namespace gridspan::codegen::ptx
