// Where a kernel uses an address as a number.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/Instruction.h"

namespace gridspan::analysis {

/// Does the instruction make the address of global memory a value: stored, made an integer, or
/// compared with an address of another object? Several devices keep an array at different
/// addresses, so that such a value means something on one device only.
bool shows_address(const llvm::Instruction& instruction);

}  // namespace gridspan::analysis
