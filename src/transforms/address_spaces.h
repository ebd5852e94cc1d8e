// What kind of memory a generic pointer leads to (isspacep).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace gridspan::transforms {

llvm::Value* is_in_shared(llvm::IRBuilder<>& builder, llvm::Value* pointer);

/// True for what is neither shared nor seen to be the thread's own.
llvm::Value* is_in_global(llvm::IRBuilder<>& builder, llvm::Value* pointer);

}  // namespace gridspan::transforms
