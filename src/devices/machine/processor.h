// What this machine's processor is, as Linux tells it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>

namespace gridspan::devices::machine {

/// Zero stands for what the machine does not tell.
struct Processor {
  std::string name;
  std::uint64_t memory_bytes = 0;  // of the machine, or of the control group if that is less
  std::uint32_t clock_khz = 0;
  std::uint32_t last_cache_bytes = 0;
  std::uint32_t core_cache_bytes = 0;  // of the largest cache that one core has for itself
};

Processor read_processor();

}  // namespace gridspan::devices::machine
