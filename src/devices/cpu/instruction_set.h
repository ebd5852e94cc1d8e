// Which of an object's variants this machine runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/variants.h"

namespace gridspan::devices::cpu {

/// The best instruction set this machine has of those that objects are compiled for.
abi::InstructionSet best_instruction_set();

/// Vectors gather numbers about as fast as they are loaded one by one. AMD's CPUs take several
/// times as long, and so do Intel's that are kept from leaking what they gather.
bool has_fast_gathers();
/// From now on that is taken for granted.
void take_gathers_for_fast();

/// The variant to run where `limit` is the best instruction set that may be used.
const abi::Module& choose_variant(const abi::ModuleVariants& variants, abi::InstructionSet limit);

}  // namespace gridspan::devices::cpu
