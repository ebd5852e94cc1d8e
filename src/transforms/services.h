// Calls of the run time's functions (abi/services.h) from generated code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace gridspan::transforms {

/// A call of the C function `name`, declared from the types of `arguments` if it is not yet.
llvm::CallInst* call_service(llvm::IRBuilder<>& builder, llvm::StringRef name, llvm::Type* result,
                             llvm::ArrayRef<llvm::Value*> arguments);

}  // namespace gridspan::transforms
