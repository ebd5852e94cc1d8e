// Which blocks of a launch run as one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/module.h"

#include <cstdint>

namespace gridspan::devices::cpu {

/// Neighbours that run as one block.
struct Tile {
  std::uint32_t x = 1, y = 1;  // blocks
  bool goes_down = false;      // the one below is next: copies of what they share stay good
};

/// Into how many pieces the threads of each tile are cut, where there are too few tiles for all
/// workers (Polygeist-CPU, section IV-D).
unsigned slices_for(const abi::Kernel& kernel, const abi::LaunchContext& launch, Tile tile,
                    unsigned workers);

/// The largest the code gains by (abi::BlockForm::joined_threads, joined_rows) that leaves enough
/// for all workers.
Tile tile_for(const abi::BlockForm& form, const abi::LaunchContext& launch, unsigned workers);

}  // namespace gridspan::devices::cpu
