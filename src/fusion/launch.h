// A launch in a sequence, as far as it is known before the program runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/kernel.h"

#include <array>
#include <cstdint>
#include <vector>

namespace gridspan::fusion {

/// Values are known by numbers: equal numbers, equal values, also in other launches of the
/// sequence. Pointers with other numbers are taken to point to memory of their own, which a run has
/// to check.
struct Launch {
  const model::Kernel* kernel = nullptr;
  std::vector<int> arguments;  // a number for each
  /// Where an argument that is, or has, pointers may point: into the memory of these values, which
  /// have numbers of their own. By argument; none at all: other values point to other memory.
  struct Pointees {
    bool anywhere = false;
    std::vector<std::uint64_t> memory;
    std::uint64_t value = 0;           // its own number
    std::vector<std::uint64_t> apart;  // values that never point where it does
  };
  std::vector<Pointees> pointees;
  int grid = 0, block = 0;       // of their shapes
  std::array<long, 3> blocks{};  // of the grid along x, y, z; 0: not known

  bool is_one_block() const { return blocks == std::array<long, 3>{1, 1, 1}; }
};

}  // namespace gridspan::fusion
