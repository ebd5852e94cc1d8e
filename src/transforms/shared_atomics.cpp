// Finds atomics whose address is shared memory, and writes them out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/shared_atomics.h"

#include "transforms/context.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

namespace gridspan::transforms {

using namespace llvm;

static bool is_shared(const Value* pointer) {
  SmallVector<const Value*> objects;
  getUnderlyingObjects(pointer, objects);
  return all_of(objects, [](const Value* object) {
    return is_marker(object, Marker::shared) || is_marker(object, Marker::dynamic_shared);
  });
}

static constexpr const char* atomic_mark = "gridspan.atomic";

bool was_atomic(const Instruction& access) { return access.hasMetadata(atomic_mark); }

/// Lowers `atomic` with `lower` and marks the loads and stores that appear in its place.
template <typename Atomic, typename Lower>
static void make_plain(Atomic& atomic, Lower lower) {
  BasicBlock* block = atomic.getParent();
  Instruction* before = atomic.getPrevNode();
  Instruction* after = atomic.getNextNode();
  MDNode* mark = MDNode::get(block->getContext(), {});
  lower(&atomic);
  auto first = before ? std::next(before->getIterator()) : block->begin();
  for (Instruction& made : make_range(first, after->getIterator()))
    if (isa<LoadInst, StoreInst>(made)) made.setMetadata(atomic_mark, mark);
}

unsigned make_shared_atomics_plain(Function& function) {
  unsigned count = 0;
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    if (auto* update = dyn_cast<AtomicRMWInst>(&instruction);
        update && is_shared(update->getPointerOperand())) {
      make_plain(*update, lowerAtomicRMWInst);
      ++count;
    } else if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction);
               exchange && is_shared(exchange->getPointerOperand())) {
      make_plain(*exchange, lowerAtomicCmpXchgInst);
      ++count;
    }
  }
  return count;
}

}  // namespace gridspan::transforms
