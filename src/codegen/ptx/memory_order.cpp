// Fences, of the scope that the operation names, or the function it is in.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/ptx/memory_order.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>
#include <string>

namespace gridspan::codegen::ptx {

using namespace llvm;

namespace {

enum class Reach { nobody, block, device, everybody };

/// clang's names: "block" is a thread block, "agent" or "device" the GPU; "" is everybody.
Reach reach_of(const LLVMContext& context, SyncScope::ID scope) {
  if (scope == SyncScope::SingleThread) return Reach::nobody;
  SmallVector<StringRef> names;
  context.getSyncScopeNames(names);
  const StringRef name = scope < names.size() ? names[scope] : "";
  if (name == "block" || name == "workgroup" || name == "warp") return Reach::block;
  return name == "device" || name == "agent" ? Reach::device : Reach::everybody;
}

/// Of the methods of cuda::atomic and cuda::atomic_ref, by the one cuda::thread_scope that their
/// names have. Clang 19 has no scopes for atomic operations of NVIDIA's GPUs.
Reach reach_of(const Function& function) {
  constexpr StringRef mark = "(cuda::thread_scope)";
  if (!function.getName().contains("thread_scope")) return Reach::everybody;
  const std::string name = demangle(function.getName());
  const auto [before, after] = StringRef(name).split(mark);
  const StringRef scope = after.take_while(isDigit);
  for (auto rest = after.split(mark).second; !rest.empty(); rest = rest.split(mark).second)
    if (rest.take_while(isDigit) != scope) return Reach::everybody;
  return StringSwitch<Reach>(scope)
      .Case("1", Reach::device)
      .Case("2", Reach::block)
      .Case("10", Reach::nobody)
      .Default(Reach::everybody);
}

/// A total one has its place in one order of all such fences.
void add_fence(Instruction& before, Reach reach, bool is_total) {
  if (reach == Reach::nobody) return;
  const StringRef scope = reach == Reach::block ? "cta" : reach == Reach::device ? "gpu" : "sys";
  IRBuilder<> builder(&before);
  FunctionType* const type = FunctionType::get(builder.getVoidTy(), false);
  builder.CreateCall(InlineAsm::get(
      type, ((is_total ? "fence.sc." : "fence.acq_rel.") + scope + ";").str(), "~{memory}",
      /*hasSideEffects=*/true));
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

void order(Instruction& instruction, Reach most) {
  const auto known = order_of(instruction);
  if (!known || !isStrongerThan(known->ordering, AtomicOrdering::Monotonic)) return;
  const bool is_total = known->ordering == AtomicOrdering::SequentiallyConsistent;
  const Reach reach = std::min(most, reach_of(instruction.getContext(), known->scope));
  if (isa<FenceInst>(instruction)) {
    add_fence(instruction, reach, is_total);
    instruction.eraseFromParent();
    return;
  }
  // A sequentially consistent load must not pass an earlier store.
  if (is_total || isReleaseOrStronger(known->ordering)) add_fence(instruction, reach, is_total);
  if (isAcquireOrStronger(known->ordering) && !isa<StoreInst>(instruction))
    add_fence(*instruction.getNextNode(), reach, false);
  relax(instruction);
}

}  // namespace

void order_memory(Module& module) {
  for (Function& function : module) {
    const Reach most = reach_of(function);
    for (Instruction& instruction : make_early_inc_range(instructions(function)))
      order(instruction, most);
  }
}

}  // namespace gridspan::codegen::ptx
