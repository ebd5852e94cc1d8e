// The points where threads of a block or warp meet.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace gridspan::abi {

/// What happens at a sync point. Operands and results travel in BlockContext::sync_*:
///   mask  = the membermask operand          value = the data operand, result overwrites it
///   lane  = shuffles: lane/delta/xor mask   clamp = shuffles: PTX `c` operand
///   flag  = predicate result of shuffles and match_all
/// Votes and barrier reductions take their predicate (0/1) in value and leave the result there.
enum class SyncKind : std::uint8_t {
  // whole block
  barrier,        // __syncthreads
  barrier_count,  // __syncthreads_count: number of non-zero predicates
  barrier_and,
  barrier_or,
  // all blocks of the grid
  grid_barrier,
  // lanes of one warp
  warp_barrier,  // __syncwarp(mask)
  active_mask,   // lanes that wait here together
  shuffle_up,
  shuffle_down,
  shuffle_xor,
  shuffle_index,
  vote_all,
  vote_any,
  vote_uniform,
  vote_ballot,
  match_any,   // value: 32 or 64 bits, zero-extended
  match_all,   // flag = all equal
  reduce_add,  // 32-bit integers (redux.sync)
  reduce_min_signed,
  reduce_max_signed,
  reduce_min_unsigned,
  reduce_max_unsigned,
  reduce_and,
  reduce_or,
  reduce_xor,
};

/// What device code calls for a grid barrier: NVVM has no intrinsic for it.
inline constexpr char grid_barrier_function[] = "gridspan_grid_barrier";

/// All threads of the block meet, perhaps with those of other blocks.
constexpr bool is_block_wide(SyncKind kind) { return kind <= SyncKind::grid_barrier; }

/// A place in the user's source, for messages. `file` may be null (compiled without line info).
struct SourcePoint {
  const char* file;
  std::uint32_t line;
  std::uint32_t column;
};

}  // namespace gridspan::abi
