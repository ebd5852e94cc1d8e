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
  // one thread, until the kernels that its block launched are done (cudaDeviceSynchronize)
  children,
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
  // a WarpCall: value = address of the lane's data
  warp_call,
  // threads of one block, as many as they say (bar.sync id, count): value = NumberedBarrier::word
  numbered_barrier,
  numbered_arrival,  // counts and goes on (bar.arrive)
  // until a barrier object of the block is in its other phase: value = PhaseWait::word
  phase_wait,
  // lanes that go through code without __syncwarp in step: lane = place in the function's order
  warp_step,
  // one thread, before it looks again whether others have done what it waits for
  waiting_round,
  // many ballots of a whole warp at once: value = the lane's votes, a bit for each. The result has
  // a bit for each lane that voted the same throughout; lanes that are not there vote no
  vote_agreement,
};

// What device code calls where NVVM has no intrinsic.
inline constexpr char grid_barrier_function[] = "gridspan_grid_barrier";
inline constexpr char numbered_barrier_function[] = "gridspan_numbered_barrier";
inline constexpr char numbered_arrival_function[] = "gridspan_numbered_arrival";
inline constexpr char phase_wait_function[] = "gridspan_phase_wait";
inline constexpr char warp_step_function[] = "gridspan_warp_step";
/// (votes)
inline constexpr char vote_agreement_function[] = "gridspan_vote_agreement";
inline constexpr char waiting_round_function[] = "gridspan_waiting_round";
/// (membermask, pointer to a WarpCall)
inline constexpr char warp_call_function[] = "gridspan_warp_call";

/// What device code calls to wait for the kernels it launched.
inline constexpr char wait_for_children_function[] = "gridspan_wait_for_children";

/// Some threads of a block wait for others, as many as the program says, or let them run.
constexpr bool is_partial(SyncKind kind) {
  return kind == SyncKind::numbered_barrier || kind == SyncKind::numbered_arrival ||
         kind == SyncKind::phase_wait || kind == SyncKind::waiting_round;
}

/// Nobody of the thread's warp can let it go on.
constexpr bool is_block_wide(SyncKind kind) {
  return kind <= SyncKind::children || is_partial(kind);
}

/// The operands of bar.sync and bar.arrive.
struct NumberedBarrier {
  static constexpr std::uint32_t ids = 64;
  std::uint32_t id;     // 0 is __syncthreads' where all threads take part; to 15 PTX's, then tiles'
  std::uint32_t count;  // threads that take part; 0: all of the block
  static constexpr NumberedBarrier of(std::uint32_t word) { return {word % ids, word >> 8}; }
  constexpr std::uint32_t word() const { return id | count << 8; }
};

/// A 64-bit barrier object whose highest bit is the parity of its phase (mbarrier), and the parity
/// of the phase whose end a thread waits for, in the address's lowest bit.
struct PhaseWait {
  std::uint64_t word;
  bool is_over() const {
    const auto* object = reinterpret_cast<const volatile std::uint64_t*>(word & ~std::uint64_t{7});
    return (*object >> 63) != (word & 1);
  }
};

/// The first bytes of what each lane brings to a function that works on all lanes of a warp at once
/// (matrix products). `function` gets the addresses of all lanes' data; null for lanes that are not
/// there. It changes the data and touches no other memory.
struct WarpCall {
  void (*function)(WarpCall* const* lanes);
};

/// What an access of shared memory does, to be added up.
inline constexpr std::uint32_t access_stores = 1;        // else it loads
inline constexpr std::uint32_t access_synchronises = 2;  // atomic or volatile
inline constexpr std::uint32_t access_copies = 4;        // what it loads is only stored again

/// A place in the user's source, for messages. `file` may be null (compiled without line info).
struct SourcePoint {
  const char* file;
  std::uint32_t line;
  std::uint32_t column;
};

}  // namespace gridspan::abi
