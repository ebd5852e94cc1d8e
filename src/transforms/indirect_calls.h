// Calls through pointers lead to device code, or end the launch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An object with virtual functions that the host made has the host's functions in its table. CUDA
// forbids to call them in a kernel, and a GPU faults. Here they are code like any other, which
// would be called with other parameters. So every function whose address is taken has a mark before
// its first instruction, and who calls through a pointer looks for it:
//
//     call %f(...)      →      %mark = load i64, %f - 8
//                              if %mark != ours: gridspan_device_bad_call(thread, %f, place)
//                              call %f(...)
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

namespace gridspan::transforms {

/// Writes the mark before a function that may be called through a pointer.
void mark_call_target(llvm::Function& function);

/// Looks for the mark before the call.
void check_call_target(llvm::CallBase& call);

}  // namespace gridspan::transforms
