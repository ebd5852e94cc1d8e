// Follows the addresses of stack variables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/stack_variables.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IntrinsicInst.h"

namespace gridspan::transforms {

using namespace llvm;

static bool is_derived_pointer(const Instruction& user) {
  return isa<GetElementPtrInst, BitCastInst, AddrSpaceCastInst, PHINode, SelectInst>(user);
}

/// After `use`, someone other than the function's own instructions may know the address.
static bool lets_address_escape(const Use& use) {
  auto* user = cast<Instruction>(use.getUser());
  if (isa<LoadInst, ICmpInst>(user)) return false;
  if (auto* store = dyn_cast<StoreInst>(user)) return store->getValueOperand() == use.get();
  if (auto* call = dyn_cast<CallBase>(user))
    return !call->isArgOperand(&use) || !call->doesNotCapture(call->getArgOperandNo(&use));
  return true;
}

SmallVector<Instruction*> users_through_pointers(AllocaInst& memory, bool& escapes) {
  SmallVector<Instruction*> users;
  SmallSetVector<Instruction*, 16> pointers;
  pointers.insert(&memory);
  for (unsigned i = 0; i < pointers.size(); ++i) {
    for (Use& use : pointers[i]->uses()) {
      auto* user = cast<Instruction>(use.getUser());
      users.push_back(user);
      if (is_derived_pointer(*user))
        pointers.insert(user);
      else if (lets_address_escape(use))
        escapes = true;
    }
  }
  return users;
}

void erase_lifetime_markers(AllocaInst& memory) {
  bool escapes = false;
  for (Instruction* user : users_through_pointers(memory, escapes))
    if (user->isLifetimeStartOrEnd()) user->eraseFromParent();
}

}  // namespace gridspan::transforms
