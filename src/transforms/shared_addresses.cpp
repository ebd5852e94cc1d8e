// Casts between shared pointers and integers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/shared_addresses.h"

#include "transforms/context.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"

namespace gridspan::transforms {

using namespace llvm;

static bool is_shared(const Type* type) {
  return type->isPointerTy() && type->getPointerAddressSpace() == 3;
}

/// The first byte of static shared memory; dynamic shared memory lies behind it.
static Value* start_of_shared(IRBuilder<>& builder, Module& module) {
  return builder.CreateCall(marker(module, Marker::shared),
                            {builder.getInt64(0), builder.getInt64(0)});
}

static Value* as_number(IRBuilder<>& builder, Module& module, PtrToIntInst& cast) {
  Value* pointer = builder.CreateAddrSpaceCast(cast.getPointerOperand(), builder.getPtrTy());
  Value* place = builder.CreatePtrToInt(pointer, builder.getInt64Ty());
  Value* start = builder.CreatePtrToInt(start_of_shared(builder, module), builder.getInt64Ty());
  return builder.CreateZExtOrTrunc(builder.CreateSub(place, start), cast.getType());
}

static Value* as_pointer(IRBuilder<>& builder, Module& module, IntToPtrInst& cast) {
  Value* offset = builder.CreateZExtOrTrunc(cast.getOperand(0), builder.getInt64Ty());
  Value* place = builder.CreatePtrAdd(start_of_shared(builder, module), offset);
  return builder.CreateAddrSpaceCast(place, cast.getType());
}

void lower_shared_addresses(Module& module) {
  for (Function& function : module)
    for (Instruction& instruction : make_early_inc_range(instructions(function))) {
      IRBuilder<> builder(&instruction);
      Value* made = nullptr;
      if (auto* cast = dyn_cast<PtrToIntInst>(&instruction);
          cast && is_shared(cast->getPointerOperand()->getType()))
        made = as_number(builder, module, *cast);
      else if (auto* back = dyn_cast<IntToPtrInst>(&instruction);
               back && is_shared(back->getType()))
        made = as_pointer(builder, module, *back);
      if (!made) continue;
      instruction.replaceAllUsesWith(made);
      instruction.eraseFromParent();
    }
}

static bool is_in_shared(const Value* pointer) {
  SmallVector<const Value*> objects;
  getUnderlyingObjects(pointer, objects);
  return all_of(objects, [](const Value* object) {
    return is_marker(object, Marker::shared) || is_marker(object, Marker::dynamic_shared);
  });
}

/// Is this 32 bits of which nothing says that they are not negative?
static bool may_wrap(const ZExtInst& index) {
  if (!index.getSrcTy()->isIntegerTy(32) || index.hasNonNeg()) return false;
  const auto* wrapping = dyn_cast<OverflowingBinaryOperator>(index.getOperand(0));
  return !wrapping || !wrapping->hasNoUnsignedWrap();
}

void wrap_shared_subscripts(Module& module) {
  for (Function& function : module)
    for (Instruction& instruction : instructions(function)) {
      auto* subscript = dyn_cast<GetElementPtrInst>(&instruction);
      if (!subscript) continue;
      for (Use& index : subscript->indices()) {
        auto* unsigned_index = dyn_cast<ZExtInst>(index);
        if (!unsigned_index || !may_wrap(*unsigned_index) || !is_in_shared(subscript)) continue;
        IRBuilder<> builder(subscript);
        index = builder.CreateSExt(unsigned_index->getOperand(0), unsigned_index->getType());
        subscript->setNoWrapFlags(GEPNoWrapFlags::none());
      }
    }
}

}  // namespace gridspan::transforms
