// The lesser of what is wanted and what there is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/instruction_limit.h"

#include "devices/cpu/instruction_set.h"

#include <algorithm>

namespace gridspan::runtime {

static abi::InstructionSet set_of(support::CpuInstructions wanted) {
  switch (wanted) {
    case support::CpuInstructions::baseline:
      return abi::InstructionSet::baseline;
    case support::CpuInstructions::v3:
      return abi::InstructionSet::x86_64_v3;
    default:
      return abi::InstructionSet::x86_64_v4;
  }
}

abi::InstructionSet instruction_limit(support::CpuInstructions wanted) {
  return std::min(set_of(wanted), devices::cpu::best_instruction_set());
}

}  // namespace gridspan::runtime
