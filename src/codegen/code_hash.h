// Numbers that tell whether functions have changed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Function.h"

#include <string>

namespace gridspan::codegen {

/// 16 hexadecimal digits from the functions' code, without names and source lines, and `more`.
std::string code_hash(llvm::ArrayRef<llvm::Function*> functions, llvm::ArrayRef<unsigned> more);

}  // namespace gridspan::codegen
