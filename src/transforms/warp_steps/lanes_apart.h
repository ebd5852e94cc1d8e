// Whether the lanes of a warp surely mean the same bytes, or surely do not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "transforms/warp_steps/lane_numbers.h"
#include "transforms/warp_steps/shared_arrays.h"

namespace gridspan::transforms {

/// Lanes whose address is known to be in shared memory; or, `anywhere`, in an array of any memory.
std::uint32_t lanes_at_arrays(const LaneNumber& address, bool anywhere);

/// What is added to the number of lane `i` of `x` is added to that of lane `k` of `y`.
bool have_same_symbols(const LaneNumber& x, unsigned i, const LaneNumber& y, unsigned k);

struct AccessInBlock {
  const MemoryAccess& access;
  const llvm::BasicBlock& block;
};

/// No lane has a byte of its second access in common with another lane's first one, neither in one
/// round of the loops around both nor, of `between` if it is not null, from any round to a later
/// one. O(lanes squared).
bool are_lanes_apart(LaneNumbers& numbers, const llvm::LoopInfo& loops, AccessInBlock first,
                     AccessInBlock second, const llvm::Loop* between);

}  // namespace gridspan::transforms
