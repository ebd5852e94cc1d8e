// Feature bits of the CPU.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/instruction_set.h"

#include <atomic>
#include <fstream>
#include <string>

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

namespace {

bool find_fast_gathers() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_is("amd")) return false;
  std::ifstream file("/sys/devices/system/cpu/vulnerabilities/gather_data_sampling");
  std::string state;
  return !std::getline(file, state) || !state.starts_with("Mitigation");
#else
  return true;
#endif
}

}  // namespace

static std::atomic<bool> are_taken_for_fast{false};

void take_gathers_for_fast() { are_taken_for_fast.store(true, std::memory_order_relaxed); }

bool has_fast_gathers() {
  static const bool has_them = find_fast_gathers();
  return has_them || are_taken_for_fast.load(std::memory_order_relaxed);
}

const abi::Module& choose_variant(const abi::ModuleVariants& variants, InstructionSet limit) {
  const abi::Module* best = variants.modules[0];
  for (std::uint32_t i = 1; i < variants.count; ++i) {
    if (variants.modules[i]->instruction_set <= limit) best = variants.modules[i];
  }
  return *best;
}

}  // namespace gridspan::devices::cpu
