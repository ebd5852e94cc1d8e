// Mangled names for programs that compile at run time: nvrtcGetLoweredName.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvrtc appends a variable `gridspan_lowered_name_N` to the source for the N-th name expression,
// which holds the address of the kernel or variable. So templates are instantiated, and here the
// address tells the name.
#pragma once

#include "llvm/IR/Module.h"

#include <string>

namespace gridspan::codegen {

/// "0 _Z6kernelIiEvPT_\n1 …": removes the variables from the module and says what they point at.
std::string take_lowered_names(llvm::Module& module);

}  // namespace gridspan::codegen
