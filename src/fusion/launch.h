// A launch in a sequence, as far as it is known before the program runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/kernel.h"

#include <vector>

namespace gridspan::fusion {

/// Values are known by numbers: equal numbers, equal values, also in other launches of the
/// sequence. Pointers with other numbers are taken to point to memory of their own, which a run has
/// to check.
struct Launch {
  const model::Kernel* kernel = nullptr;
  std::vector<int> arguments;  // a number for each
  int grid = 0, block = 0;     // of their shapes
  bool is_one_block = false;   // its grid
};

}  // namespace gridspan::fusion
