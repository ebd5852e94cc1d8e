// Runs one block of a kernel that was cut into regions at its sync points.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As long as all threads of the block stand at the same continuation, regions run over the whole
// block and warp operations are performed for all warps at once ("converged"). When threads part,
// each warp runs by itself until all its lanes have left or wait at a block barrier; the barrier is
// released when every warp has come that far. Both orders are interleavings that CUDA allows.
#pragma once

#include "abi/launch.h"
#include "abi/module.h"
#include "devices/cpu/numbered_barriers.h"

#include <cstdint>
#include <optional>

namespace gridspan::devices::cpu {

/// Trivially destructible: a fault leaves it by longjmp.
class RegionExecutor {
 public:
  /// `running` is kept pointing at the region that runs, for messages about faults.
  RegionExecutor(const abi::Kernel& kernel, abi::BlockContext& block, const abi::Region*& running);

  enum class Outcome {
    finished,
    at_grid_barrier,   // every thread has left or waits there
    at_children,       // some wait for kernels they launched, and nobody else can go on
    in_waiting_loops,  // some have gone round loops for long, and nobody else can go on
    deadlock,          // its threads wait for each other for ever; block.next says where
  };

  /// Runs the block whose index stands in the context.
  Outcome run_block() {
    numbered_.reset();
    rounds_left_ = waiting_rounds;
    return run_from(0);
  }
  /// Goes on where run_block or resume_block has stopped, at a grid barrier or for children.
  Outcome resume_block();
  /// The same for one that has gone round waiting loops.
  Outcome resume_waiting();

 private:
  /// Rounds of waiting loops before others have a turn: a stop costs as much as some rounds.
  static constexpr std::uint32_t waiting_rounds = 256;

  void run(std::uint16_t region, std::uint32_t first, std::uint32_t last) {
    running_ = &regions_[region];
    regions_[region].run(&block_, first, last);
  }
  void run_range(std::uint16_t region, std::uint32_t first, std::uint32_t last);
  void run_ranges(std::uint32_t first, std::uint32_t last);
  Outcome run_from(std::uint16_t at);
  bool all_threads_at_one_continuation() const;
  bool perform_converged(std::uint16_t at);
  bool perform_converged_warps(abi::SyncKind kind);
  std::optional<Outcome> run_diverged(bool released);
  std::optional<Outcome> pass_partial_barriers();
  bool let_waiting_go_on(std::uint32_t (&runnable)[abi::max_block_threads / abi::warp_size]) const;
  bool waits_for_some(std::uint32_t thread, abi::SyncKind& kind) const;
  std::optional<Outcome> look_for_pause() const;
  bool release_from_children();
  bool run_warp(std::uint32_t first, std::uint32_t runnable);
  bool may_open_later(std::uint32_t first, std::uint32_t lanes) const;
  bool is_together(std::uint32_t first, std::uint32_t runnable) const;
  void run_together(std::uint32_t first);
  void run_lanes(std::uint32_t first, std::uint32_t runnable);
  std::uint32_t release_lanes(std::uint32_t first, std::uint32_t live, std::uint32_t waiting);
  void reduce_at_barrier();
  std::uint32_t live_lanes(std::uint32_t first) const;

  const abi::Region* regions_;
  abi::BlockContext& block_;
  const abi::Region*& running_;
  std::uint32_t threads_;
  bool has_warp_operations_;
  bool has_reductions_ = false;
  bool may_pause_ = false;
  bool has_partial_barriers_ = false;
  std::uint32_t rounds_left_ = waiting_rounds;
  NumberedBarriers numbered_;
};

}  // namespace gridspan::devices::cpu
