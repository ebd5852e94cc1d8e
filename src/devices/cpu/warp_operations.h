// What shuffles, votes, matches and reductions of a warp compute, as PTX defines them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/launch.h"
#include "abi/sync.h"

#include <cstdint>

namespace gridspan::devices::cpu {

inline constexpr std::uint32_t all_lanes = 0xffffffff;

/// The sync_* columns of one warp, each pointing at lane 0's entry.
struct WarpOperands {
  std::uint32_t* mask;
  std::uint64_t* value;
  std::uint32_t* lane;
  std::uint32_t* clamp;
  std::uint32_t* flag;
};

inline WarpOperands warp_operands(const abi::BlockContext& block, std::uint32_t first_thread) {
  return {block.sync_mask + first_thread, block.sync_value + first_thread,
          block.sync_lane + first_thread, block.sync_clamp + first_thread,
          block.sync_flag + first_thread};
}

/// Performs one warp operation for the lanes in `members`, which wait at it together. Results
/// replace the operands (see abi::SyncKind). Where PTX leaves the result undefined (a shuffle from
/// a lane outside `members`) a lane keeps its own value.
void perform_warp_operation(abi::SyncKind kind, const WarpOperands& warp, std::uint32_t members);

}  // namespace gridspan::devices::cpu
