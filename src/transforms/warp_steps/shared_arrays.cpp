// Which instructions touch memory that other lanes see, and which arrays are shared memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/warp_steps/shared_arrays.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

// Of canonical IR.
constexpr unsigned generic_space = 0, global_space = 1, shared_space = 3;

bool may_be_seen_by_others(const Value* address) {
  const unsigned space = address->getType()->getPointerAddressSpace();
  if (space != generic_space && space != global_space && space != shared_space) return false;
  const Value* object = getUnderlyingObject(address);
  const auto* variable = dyn_cast<GlobalVariable>(object);
  return !isa<AllocaInst>(object) && !(variable && variable->isConstant());
}

std::uint64_t bytes_of(const Instruction& instruction, const Type* type) {
  return instruction.getModule()
      ->getDataLayout()
      .getTypeStoreSize(const_cast<Type*>(type))
      .getFixedValue();
}

std::uint64_t length_of(const MemIntrinsic& call) {
  auto* length = dyn_cast<ConstantInt>(call.getLength());
  return length ? length->getZExtValue() : 0;
}

}  // namespace

bool is_shared_array(const Value* value) {
  auto* variable = dyn_cast<GlobalVariable>(value);
  return variable && variable->getAddressSpace() == shared_space;
}

const GlobalVariable& named_array(const GlobalVariable& array) {
  if (!is_shared_array(&array) || !array.isDeclaration()) return array;
  for (const GlobalVariable& one : array.getParent()->globals())
    if (is_shared_array(&one) && one.isDeclaration()) return one;
  return array;
}

SmallVector<MemoryAccess, 2> visible_accesses(const Instruction& instruction) {
  SmallVector<MemoryAccess, 2> found;
  if (auto* load = dyn_cast<LoadInst>(&instruction)) {
    found.push_back({load->getPointerOperand(), bytes_of(*load, load->getType()), true, false,
                     load->isAtomic()});
  } else if (auto* store = dyn_cast<StoreInst>(&instruction)) {
    found.push_back({store->getPointerOperand(),
                     bytes_of(*store, store->getValueOperand()->getType()), false, true,
                     store->isAtomic(), dyn_cast<Constant>(store->getValueOperand())});
  } else if (auto* update = dyn_cast<AtomicRMWInst>(&instruction)) {
    found.push_back(
        {update->getPointerOperand(), bytes_of(*update, update->getType()), true, true, true});
  } else if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
    found.push_back({exchange->getPointerOperand(),
                     bytes_of(*exchange, exchange->getNewValOperand()->getType()), true, true,
                     true});
  } else if (auto* memory = dyn_cast<MemIntrinsic>(&instruction); memory) {
    if (auto* copy = dyn_cast<MemTransferInst>(memory))
      found.push_back({copy->getRawSource(), length_of(*copy), true, false, false});
    found.push_back({memory->getRawDest(), length_of(*memory), false, true, false});
  }
  erase_if(found, [](const MemoryAccess& one) { return !may_be_seen_by_others(one.address); });
  return found;
}

}  // namespace gridspan::transforms
