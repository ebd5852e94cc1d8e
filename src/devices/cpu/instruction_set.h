// Which of an object's variants this machine runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/variants.h"

namespace gridspan::devices::cpu {

/// The best instruction set this machine has of those that objects are compiled for.
abi::InstructionSet best_instruction_set();

/// The variant to run where `limit` is the best instruction set that may be used.
const abi::Module& choose_variant(const abi::ModuleVariants& variants, abi::InstructionSet limit);

}  // namespace gridspan::devices::cpu
