// How much a thread of a kernel has to do.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/Function.h"

#include <cstdint>

namespace gridspan::transforms {

/// Instructions that a thread executes at most, roughly: in loops times their rounds, a call of
/// what has no body here counting as 64. 0: nobody knows, for the rounds of some loop are not
/// constants, or a function is called that is not part of the kernel. O(instructions).
std::uint32_t most_instructions(llvm::Function& kernel);

}  // namespace gridspan::transforms
