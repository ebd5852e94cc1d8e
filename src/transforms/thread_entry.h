// The kernel as a function of one thread, for fibers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/Function.h"

namespace gridspan::transforms {

/// A copy of `kernel` with the signature abi::ThreadFunction. Sync points call the run time,
/// volatile and atomic accesses yield first, and accesses that may reach shared memory are
/// announced for the checks of interpret mode.
llvm::Function* make_thread_entry(llvm::Function& kernel);

/// The same treatment, in place, for a device function that has its ThreadContext as parameter 0.
void lower_thread_function(llvm::Function& function);

}  // namespace gridspan::transforms
