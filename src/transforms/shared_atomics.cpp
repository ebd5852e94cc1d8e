// Finds atomics whose address is shared memory, and writes them out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/shared_atomics.h"

#include "transforms/shared_volatile.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

namespace gridspan::transforms {

using namespace llvm;

static constexpr const char* shared_mark = "gridspan.shared_atomic";

bool is_shared_atomic(const Instruction& atomic) { return atomic.hasMetadata(shared_mark); }

void mark_shared_atomics(Function& function) {
  MDNode* mark = MDNode::get(function.getContext(), {});
  for (Instruction& instruction : instructions(function)) {
    if (!isa<AtomicRMWInst, AtomicCmpXchgInst>(instruction)) continue;
    if (is_in_shared_memory(*instruction.getOperand(0))) instruction.setMetadata(shared_mark, mark);
  }
}

void make_shared_atomics_plain(Function& function) {
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    if (!is_shared_atomic(instruction)) continue;
    if (auto* update = dyn_cast<AtomicRMWInst>(&instruction))
      lowerAtomicRMWInst(update);
    else
      lowerAtomicCmpXchgInst(cast<AtomicCmpXchgInst>(&instruction));
  }
}

}  // namespace gridspan::transforms
