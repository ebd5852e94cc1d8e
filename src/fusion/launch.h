// A launch in a sequence, as far as it is known before the program runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/kernel.h"

#include <array>
#include <vector>

namespace gridspan::fusion {

/// Values are known by numbers: equal numbers, equal values, also in other launches of the
/// sequence. Pointers with other numbers are taken to point to memory of their own, which a run has
/// to check.
struct Launch {
  const model::Kernel* kernel = nullptr;
  std::vector<int> arguments;  // a number for each
  /// Of each: it is made of other values. Where it is a pointer, it may point into memory that one
  /// of another number points to. None: nothing is.
  std::vector<bool> is_derived;
  int grid = 0, block = 0;       // of their shapes
  std::array<long, 3> blocks{};  // of the grid along x, y, z; 0: not known

  bool is_one_block() const { return blocks == std::array<long, 3>{1, 1, 1}; }
};

}  // namespace gridspan::fusion
