// The tests behind choose_fibers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/executor_choice.h"

#include "analysis/spinning.h"
#include "analysis/whole_access.h"
#include "transforms/kernels.h"
#include "transforms/shared_volatile.h"
#include "transforms/sync_points.h"
#include "transforms/waiting_loops.h"
#include "transforms/warp_steps/warp_steps.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"

namespace gridspan::transforms {

using namespace llvm;

static bool is_private(const Value* pointer) {
  return isa<AllocaInst>(getUnderlyingObject(pointer));
}

/// It may read what another lane of the warp has just written, without a sync point between them;
/// or a loop goes round until it reads something else.
static bool is_polling_load(const Instruction& instruction, const LoopInfo& loops, bool is_kernel) {
  auto* load = dyn_cast<LoadInst>(&instruction);
  return load && analysis::is_really_volatile(*load) && !is_private(load->getPointerOperand()) &&
         (analysis::may_spin(*load, loops) ||
          !(load->hasMetadata(settled_mark) || (is_kernel && reads_settled_memory(*load))));
}

static std::optional<FiberReason> reason_in(Function& function, bool is_kernel) {
  const DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  const auto watched = watched_in_rounds(function);
  for (Instruction& instruction : instructions(function)) {
    if (!is_kernel && as_sync_point(instruction))
      return FiberReason{source_line(instruction),
                         "barrier or warp operation in a function that is called recursively or "
                         "through a pointer"};
    if (!watched.contains(&instruction) && is_polling_load(instruction, loops, is_kernel))
      return FiberReason{source_line(instruction),
                         "volatile load: threads may watch each other's memory"};
  }
  return find_waiting_loop(function);
}

std::optional<FiberReason> find_volatile_load(Function& kernel) {
  for (Instruction& instruction : instructions(kernel))
    if (auto* load = dyn_cast<LoadInst>(&instruction);
        load && analysis::is_really_volatile(*load) && !is_private(load->getPointerOperand()))
      return FiberReason{source_line(instruction),
                         "volatile load, and more than a thousand barriers and warp operations"};
  return std::nullopt;
}

std::optional<FiberReason> choose_fibers(Function& kernel) {
  for (Function* function : reachable_functions(kernel))
    if (auto reason = reason_in(*function, function == &kernel)) return reason;
  for (Instruction& instruction : instructions(kernel))
    if (auto* memory = dyn_cast<AllocaInst>(&instruction); memory && !memory->isStaticAlloca())
      return FiberReason{source_line(instruction), "alloca of varying size"};
  return std::nullopt;
}

}  // namespace gridspan::transforms
