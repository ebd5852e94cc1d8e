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

unsigned make_shared_atomics_plain(Function& function) {
  unsigned count = 0;
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    if (auto* update = dyn_cast<AtomicRMWInst>(&instruction);
        update && is_shared(update->getPointerOperand())) {
      count += lowerAtomicRMWInst(update);
    } else if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction);
               exchange && is_shared(exchange->getPointerOperand())) {
      count += lowerAtomicCmpXchgInst(exchange);
    }
  }
  return count;
}

}  // namespace gridspan::transforms
