// Recording builds: every access to memory announces itself before it happens.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This is one half of the oracle for the kernel model (docs/verification.md), so it uses nothing of
// src/analysis and src/model: it takes whatever instructions are there.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Module.h"

namespace gridspan::transforms {

/// Marks all device functions that do not recurse for inlining. What a caller makes of a function's
/// result decides which of its loads count.
void inline_everything(llvm::Module& module);

/// Inserts a call of gridspan_record_access (abi/recording.h) before each load, store, atomic and
/// memory intrinsic that does not provably stay within stack or shared memory. After
/// lower_intrinsics. `clean_up` runs textbook clean-up on a copy of the module: an access that does
/// not survive it is marked optional. Returns how many places were found (abi::AccessSite::index).
unsigned record_accesses(llvm::Module& module, llvm::function_ref<void(llvm::Module&)> clean_up);

}  // namespace gridspan::transforms
