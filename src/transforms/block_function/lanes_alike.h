// Which lanes of a warp have found the same.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace gridspan::transforms {

/// For each of 32 lanes a mask (<32 x i32>) of those whose element of `values` is the same: each
/// lane's value is compared with all, which stays in vector registers.
llvm::Value* write_lanes_alike(llvm::IRBuilder<>& builder, llvm::Value* values);

}  // namespace gridspan::transforms
