// Feature bits of the CPU.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/instruction_set.h"

namespace gridspan::devices::cpu {

using abi::InstructionSet;

InstructionSet best_instruction_set() {
#if defined(__x86_64__)
  __builtin_cpu_init();  // constructors ask, in any order
  if (__builtin_cpu_supports("x86-64-v4")) return InstructionSet::x86_64_v4;
  if (__builtin_cpu_supports("x86-64-v3")) return InstructionSet::x86_64_v3;
#endif
  return InstructionSet::baseline;
}

const abi::Module& choose_variant(const abi::ModuleVariants& variants, InstructionSet limit) {
  const abi::Module* best = variants.modules[0];
  for (std::uint32_t i = 1; i < variants.count; ++i) {
    if (variants.modules[i]->instruction_set <= limit) best = variants.modules[i];
  }
  return *best;
}

}  // namespace gridspan::devices::cpu
