// A chain: the blocks of several launches, in an order of their own (fuse/chain.h makes it).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/schedule/block_box.h"

#include <cstdint>
#include <vector>

namespace gridspan::runtime {

/// Some blocks of a launch.
struct Step {
  std::uint32_t launch;
  BlockBox blocks;
};

using Strip = std::vector<Step>;   // one after the other
using Phase = std::vector<Strip>;  // in any order, also at once
using Chain = std::vector<Phase>;  // one after the other

}  // namespace gridspan::runtime
