// The best instruction set that kernels may use here.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/instruction_set.h"
#include "support/options.h"

namespace gridspan::runtime {

/// What the user allows, as far as this machine has it.
abi::InstructionSet instruction_limit(support::CpuInstructions wanted);

}  // namespace gridspan::runtime
