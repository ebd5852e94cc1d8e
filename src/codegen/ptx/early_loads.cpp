// Moves loads up to the first of the atomic operations in front of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/ptx/early_loads.h"

#include "codegen/ptx/prepare.h"
#include "transforms/kernels.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

namespace gridspan::codegen::ptx {

using namespace llvm;

namespace {

/// Each holds a register from then on.
constexpr unsigned most_loads = 16;

bool is_in_shared_memory(const Value* pointer) {
  const Value* object = getUnderlyingObject(pointer);
  return object->getType()->getPointerAddressSpace() == shared_space;
}

bool is_outside_shared_memory(const Value* pointer, const Function& kernel) {
  const Value* object = getUnderlyingObject(pointer);
  if (const auto* argument = dyn_cast<Argument>(object)) return argument->getParent() == &kernel;
  const unsigned space = object->getType()->getPointerAddressSpace();
  return space == global_space || space == constant_space;
}

/// Becomes a loop.
bool is_retried(const Instruction& instruction) {
  const auto* atomic = dyn_cast<AtomicRMWInst>(&instruction);
  return atomic && !atomic->isVolatile() && atomic->getOrdering() == AtomicOrdering::Monotonic &&
         atomic->getType()->isFloatingPointTy() && is_in_shared_memory(atomic->getPointerOperand());
}

/// Loads from elsewhere may pass it.
bool stays_in_shared_memory(const Instruction& instruction) {
  if (const auto* store = dyn_cast<StoreInst>(&instruction))
    return store->isSimple() && is_in_shared_memory(store->getPointerOperand());
  const auto* atomic = dyn_cast<AtomicRMWInst>(&instruction);
  return atomic && !atomic->isVolatile() && atomic->getOrdering() == AtomicOrdering::Monotonic &&
         is_in_shared_memory(atomic->getPointerOperand());
}

class LoadMover {
 public:
  explicit LoadMover(BasicBlock& block) : block_(block) {}

  void run() {
    for (Instruction& instruction : make_early_inc_range(block_)) {
      if (is_retried(instruction) && !place_) {
        place_ = &instruction;
        below_.clear();
        loads_ = 0;
      }
      if (!place_) continue;
      auto* load = dyn_cast<LoadInst>(&instruction);
      if (load && load->isSimple() && loads_ < most_loads &&
          is_outside_shared_memory(load->getPointerOperand(), *block_.getParent()) &&
          move_up(*load)) {
        ++loads_;
        continue;
      }
      below_.insert(&instruction);
      if (instruction.mayWriteToMemory() && !stays_in_shared_memory(instruction)) place_ = nullptr;
      if (!isGuaranteedToTransferExecutionToSuccessor(&instruction)) place_ = nullptr;
    }
  }

 private:
  /// With what its address is computed from; false if that is not there yet.
  bool move_up(LoadInst& load) {
    SmallVector<Instruction*> moved;
    if (!collect(load, moved)) return false;
    for (Instruction* instruction : moved) {
      instruction->moveBefore(place_);
      below_.erase(instruction);
    }
    return true;
  }

  /// Operands first.
  bool collect(Instruction& instruction, SmallVectorImpl<Instruction*>& moved) {
    for (Value* operand : instruction.operands()) {
      auto* needed = dyn_cast<Instruction>(operand);
      if (!needed || !below_.contains(needed) || is_contained(moved, needed)) continue;
      if (needed->mayReadOrWriteMemory() || !isSafeToSpeculativelyExecute(needed) ||
          !collect(*needed, moved))
        return false;
    }
    moved.push_back(&instruction);
    return true;
  }

  BasicBlock& block_;
  Instruction* place_ = nullptr;               // the atomic operation that loads may pass
  SmallPtrSet<const Instruction*, 32> below_;  // what stands behind it
  unsigned loads_ = 0;
};

}  // namespace

void load_early(Module& module) {
  for (const transforms::KernelDeclaration& kernel : transforms::find_kernels(module))
    for (BasicBlock& block : *kernel.function) LoadMover(block).run();
}

}  // namespace gridspan::codegen::ptx
