// Device code that calls a function of the host ends its launch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels may reach a call of the host's through a function of both sides, as long as nobody makes
// it (clang_plugin/other_side_calls.h):
//
//     %r = call @"gridspan.other_side.f (a.cu:3)"(…)   →   call @__assertfail("a call of …", …)
//                                                          unreachable
//
// Constructors and destructors of the host's that a member calls which nobody wrote do nothing
// (clang_plugin/borrowed_functions.h); other calls of the host's destructors end the launch, too
// (clang_plugin/host_destructors.h).
#pragma once

#include "llvm/IR/Module.h"

namespace gridspan::transforms {

/// On clang's bitcode, before anything else looks at its calls.
void lower_other_side_calls(llvm::Module& module);

}  // namespace gridspan::transforms
