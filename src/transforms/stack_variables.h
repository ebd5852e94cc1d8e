// Who may know the address of a stack variable.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

namespace gridspan::transforms {

/// Everything that uses the variable's address, also through derived pointers. `escapes` is set
/// when someone other than these instructions may know it (it is stored, returned, or a callee may
/// keep it); it is never cleared.
llvm::SmallVector<llvm::Instruction*> users_through_pointers(llvm::AllocaInst& memory,
                                                             bool& escapes);

void erase_lifetime_markers(llvm::AllocaInst& memory);

}  // namespace gridspan::transforms
