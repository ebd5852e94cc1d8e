// Addresses that leave the subscripts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/pointer_values.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

#include <algorithm>

using namespace llvm;

namespace gridspan::analysis {
namespace {

using Objects = SmallVector<const Value*, 4>;

constexpr unsigned shared_memory = 3, local_memory = 5;

Objects objects_of(const Value* pointer) {
  Objects objects;
  getUnderlyingObjects(pointer, objects, nullptr, /*MaxLookup=*/0);
  return objects;
}

/// Memory of a block or a thread, or no memory at all: the same on every device.
bool is_private(const Value* object) {
  if (isa<AllocaInst>(object) || isa<ConstantPointerNull>(object) || isa<UndefValue>(object))
    return true;
  const unsigned space = object->getType()->getPointerAddressSpace();
  return space == shared_memory || space == local_memory;
}

bool is_private_address(const Value* pointer) {
  return std::ranges::all_of(objects_of(pointer), is_private);
}

/// Both lead into one object: moved to another device, their difference stays.
bool share_an_object(const Value* a, const Value* b) {
  const Objects left = objects_of(a), right = objects_of(b);
  return left.size() == 1 && right.size() == 1 && left[0] == right[0];
}

bool has_pointer(const Type* type) {
  return type->isPointerTy() ||
         std::ranges::any_of(type->subtypes(), [](const Type* part) { return has_pointer(part); });
}

/// Has the type a pointer among its bytes [first, end)?
bool has_pointer_within(Type* type, const DataLayout& layout, std::uint64_t first,
                        std::uint64_t end) {
  if (first >= end || first >= layout.getTypeAllocSize(type)) return false;
  if (auto* structure = dyn_cast<StructType>(type)) {
    const StructLayout& fields = *layout.getStructLayout(structure);
    for (unsigned i = 0; i < structure->getNumElements(); ++i) {
      const std::uint64_t start = fields.getElementOffset(i);
      if (start >= end) break;
      if (has_pointer_within(structure->getElementType(i), layout,
                             first > start ? first - start : 0, end - start))
        return true;
    }
    return false;
  }
  if (auto* list = dyn_cast<ArrayType>(type)) {
    const std::uint64_t size = layout.getTypeAllocSize(list->getElementType());
    if (size == 0) return false;
    const std::uint64_t start = first / size * size;
    return has_pointer_within(list->getElementType(), layout, first - start, end - start) ||
           (end - start > size &&
            has_pointer_within(list->getElementType(), layout, 0, end - start - size));
  }
  return has_pointer(type);
}

/// p - q, and nothing else, of pointers into one object.
bool is_only_subtracted(const PtrToIntOperator& number) {
  return std::ranges::all_of(number.users(), [&](const User* user) {
    const auto* difference = dyn_cast<BinaryOperator>(user);
    if (!difference || difference->getOpcode() != Instruction::Sub) return false;
    const auto* a = dyn_cast<PtrToIntOperator>(difference->getOperand(0));
    const auto* b = dyn_cast<PtrToIntOperator>(difference->getOperand(1));
    return a && b && share_an_object(a->getPointerOperand(), b->getPointerOperand());
  });
}

/// What the program says an argument's, a thread's or a block's memory holds; null for the rest.
Type* content_of(const Value* object) {
  if (auto* argument = dyn_cast<Argument>(object))
    return argument->hasByValAttr() ? argument->getParamByValType() : nullptr;
  if (auto* variable = dyn_cast<AllocaInst>(object)) return variable->getAllocatedType();
  auto* global = dyn_cast<GlobalVariable>(object);
  return global && is_private(global) ? global->getValueType() : nullptr;
}

bool may_hold_addresses(const Value* object) {
  const Type* content = content_of(object);
  return content && has_pointer(content);
}

/// Addresses leave for memory of all, or for bytes that do not say what they hold. Pointers read as
/// such are followed through the code that uses them.
bool copies_address(const MemTransferInst& copy) {
  return std::ranges::any_of(objects_of(copy.getRawSource()), may_hold_addresses) &&
         !std::ranges::all_of(objects_of(copy.getRawDest()), may_hold_addresses);
}
bool reads_address_as_number(const LoadInst& load) {
  if (has_pointer(load.getType())) return false;
  const DataLayout& layout = load.getModule()->getDataLayout();
  APInt offset(layout.getIndexTypeSizeInBits(load.getPointerOperandType()), 0);
  const Value* base =
      load.getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
  Type* content = content_of(base);
  const std::uint64_t first = offset.getZExtValue();
  return content && has_pointer_within(content, layout, first,
                                       first + layout.getTypeStoreSize(load.getType()));
}

bool stores_address(const Value* value) {
  if (!has_pointer(value->getType())) return false;
  return !value->getType()->isPointerTy() || !is_private_address(value);
}

}  // namespace

bool shows_address(const Instruction& instruction) {
  if (auto* store = dyn_cast<StoreInst>(&instruction))
    return stores_address(store->getValueOperand()) &&
           !is_private_address(store->getPointerOperand());
  if (auto* load = dyn_cast<LoadInst>(&instruction)) return reads_address_as_number(*load);
  if (auto* copy = dyn_cast<MemTransferInst>(&instruction)) return copies_address(*copy);
  if (auto* update = dyn_cast<AtomicRMWInst>(&instruction))
    return stores_address(update->getValOperand());
  if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return stores_address(exchange->getNewValOperand());
  if (auto* number = dyn_cast<PtrToIntOperator>(&instruction))
    return !is_private_address(number->getPointerOperand()) && !is_only_subtracted(*number);
  auto* compared = dyn_cast<ICmpInst>(&instruction);
  if (!compared || !compared->getOperand(0)->getType()->isPointerTy()) return false;
  const Value *a = compared->getOperand(0), *b = compared->getOperand(1);
  if (isa<ConstantPointerNull>(a) || isa<ConstantPointerNull>(b)) return false;
  return !share_an_object(a, b) && !(is_private_address(a) && is_private_address(b));
}

}  // namespace gridspan::analysis
