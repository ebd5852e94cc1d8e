// Follows addresses from the array to loads and stores.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/frame_arrays.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/IR/DataLayout.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

/// Calls `visit` for all addresses in the array and all that is done with them; false if it says
/// so.
bool walk(Value& address, function_ref<bool(Instruction&, const Value& address)> visit) {
  return all_of(address.users(), [&](User* user) {
    auto& instruction = *cast<Instruction>(user);
    if (!visit(instruction, address)) return false;
    return !isa<GetElementPtrInst>(instruction) || walk(instruction, visit);
  });
}

Type* innermost(Type* type) {
  while (auto* array = dyn_cast<ArrayType>(type)) type = array->getElementType();
  return type;
}

/// The address moves on by whole elements.
bool is_whole_step(const GetElementPtrInst& step, std::uint64_t element, const DataLayout& layout) {
  const unsigned bits = layout.getIndexTypeSizeInBits(step.getType());
  MapVector<Value*, APInt> varying;
  APInt fixed(bits, 0);
  if (!step.getType()->isPointerTy() || !step.collectOffset(layout, bits, varying, fixed))
    return false;
  return fixed.srem(static_cast<std::int64_t>(element)) == 0 &&
         all_of(varying, [&](const auto& one) { return one.second.urem(element) == 0; });
}

}  // namespace

std::uint64_t bytes_of_elements(AllocaInst& array) {
  const DataLayout& layout = array.getDataLayout();
  Type* type = innermost(array.getAllocatedType());
  if (!array.getAllocatedType()->isArrayTy() || array.isArrayAllocation() ||
      !type->isSingleValueType() || type->isVectorTy())
    return 0;
  const std::uint64_t bytes = layout.getTypeStoreSize(type).getFixedValue();
  if (bytes != layout.getTypeAllocSize(type).getFixedValue() ||
      array.getAlign().value() > array.getAllocationSize(layout)->getFixedValue())
    return 0;
  const bool is_plain = walk(array, [&](Instruction& user, const Value& address) {
    if (user.isLifetimeStartOrEnd()) return true;
    if (auto* step = dyn_cast<GetElementPtrInst>(&user))
      return step->getPointerOperand() == &address && is_whole_step(*step, bytes, layout);
    auto* store = dyn_cast<StoreInst>(&user);
    if (store && store->getValueOperand() == &address) return false;
    return isa<LoadInst, StoreInst>(user) && !user.isVolatile() && !user.isAtomic() &&
           layout.getTypeStoreSize(getLoadStoreType(&user)).getFixedValue() == bytes &&
           !getLoadStoreType(&user)->isVectorTy();
  });
  return is_plain ? bytes : 0;
}

void space_elements(AllocaInst& array, std::uint64_t element, Value* spacing,
                    const ValueToValueMapTy& map) {
  const DataLayout& layout = array.getDataLayout();
  walk(array, [&](Instruction& user, const Value&) {
    auto* copy = cast_or_null<Instruction>(map.lookup(&user));
    if (!copy) return true;
    if (auto* step = dyn_cast<GetElementPtrInst>(copy)) {
      IRBuilder<> builder(step);
      Value* bytes = builder.CreateMul(emitGEPOffset(&builder, layout, step), spacing);
      step->replaceAllUsesWith(builder.CreateGEP(builder.getInt8Ty(), step->getPointerOperand(),
                                                 bytes, step->getName()));
      step->eraseFromParent();
      return true;
    }
    const Align own(element);
    if (auto* load = dyn_cast<LoadInst>(copy)) load->setAlignment(std::min(load->getAlign(), own));
    if (auto* store = dyn_cast<StoreInst>(copy))
      store->setAlignment(std::min(store->getAlign(), own));
    return true;
  });
}

}  // namespace gridspan::transforms
