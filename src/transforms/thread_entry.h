// The kernel as a function of one thread, for fibers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/Function.h"

namespace gridspan::transforms {

/// A copy of `kernel` with the signature abi::ThreadFunction. Sync points call the run time, and
/// volatile and atomic accesses yield first. If it `is_checked`, accesses are announced for the
/// checks of interpret mode (transforms/access_checks.h).
llvm::Function* make_thread_entry(llvm::Function& kernel, bool is_checked);

/// `plain` is where threads begin; it goes on as `checked` where the block is checked.
void choose_checked(llvm::Function& plain, llvm::Function& checked);

/// The same treatment, in place, for a device function that has its ThreadContext as parameter 0.
void lower_thread_function(llvm::Function& function);

}  // namespace gridspan::transforms
