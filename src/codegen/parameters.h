// How a kernel's arguments are packed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "codegen/kernel_code.h"

#include "llvm/IR/Function.h"

#include <vector>

namespace gridspan::codegen {

/// In the driver's order, naturally aligned (abi::Parameter).
std::vector<KernelParameter> parameters_of(const llvm::Function& kernel);

}  // namespace gridspan::codegen
