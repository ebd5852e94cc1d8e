// Instruction-set variants of a module's code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace gridspan::abi {

/// Ascending: who can run one can run all before it.
enum class InstructionSet : std::uint32_t {
  baseline = 0,   // whatever every CPU of the architecture has, or the CPU that the user named
  x86_64_v3 = 3,  // AVX2, FMA
  x86_64_v4 = 4,  // AVX-512 F, BW, CD, DQ, VL
};

/// What -march= calls it; null: no particular CPU.
constexpr const char* cpu_name(InstructionSet set) {
  switch (set) {
    case InstructionSet::baseline:
      return nullptr;
    case InstructionSet::x86_64_v3:
      return "x86-64-v3";
    case InstructionSet::x86_64_v4:
      return "x86-64-v4";
  }
  return nullptr;
}

}  // namespace gridspan::abi
