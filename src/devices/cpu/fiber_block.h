// One resident thread block on fibers: who may run, who waits, what releases them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warps take turns in order. In a turn each lane that can run is resumed once per round, in lane
// order, and runs until it yields, waits or leaves. Since it yields before every volatile access
// and atomic, all lanes perform their k-th access before any performs its (k+1)-th, as the
// lock-step of a warp does. A turn ends after a number of rounds, so that a spinning warp starves
// nobody.
#pragma once

#include "devices/cpu/block_storage.h"
#include "devices/cpu/fiber_checks.h"
#include "devices/cpu/fiber_stacks.h"
#include "devices/cpu/numbered_barriers.h"
#include "devices/cpu/part.h"
#include "devices/cpu/warp_groups.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace gridspan::devices::cpu {

class FiberBlock {
 public:
  /// `checks` is null unless the device interprets.
  FiberBlock(FiberWorker& worker, FiberPool& pool, MisuseLog* checks);

  void start(Part& part, abi::Dim block_index);
  /// Gives the fibers back, finished or not.
  void end();

  enum class Pass {
    finished,     // every thread has left
    progress,     // some thread reached a sync point, was released or left
    spinning,     // threads only yielded
    at_children,  // nobody runs before kernels are done that some threads wait for
    deadlock,     // nobody can ever run again
    failed,       // a fault left the kernel; the worker knows which
  };
  /// Gives each warp one turn.
  Pass pass();
  std::string deadlock_text() const;
  /// The kernels that threads waited for are done.
  void release_from_children();
  /// True if the deadlock was reported as misuse.
  bool report_mask_misuse();

  const abi::BlockContext& context() const { return storage_.context(); }
  std::uint32_t thread_count() const { return static_cast<std::uint32_t>(fibers_.size()); }

  // Called on a fiber of this block.
  std::uint32_t barrier(Fiber& fiber, abi::SyncKind kind, std::uint32_t predicate,
                        const abi::SourcePoint* where);
  std::uint64_t warp_operation(Fiber& fiber, abi::SyncKind kind, std::uint32_t mask,
                               std::uint64_t value, std::uint32_t lane, std::uint32_t clamp,
                               std::uint32_t* flag, const abi::SourcePoint* where);
  Fiber& fiber(std::uint32_t thread) { return *fibers_[thread]; }
  FiberWorker& worker() { return worker_; }
  FiberChecks* checks() { return checks_.get(); }

 private:
  struct Warp {
    std::uint32_t first = 0;
    std::uint32_t live = 0;
    std::uint32_t ready = 0;
    std::uint32_t waiting = 0;  // at warp operations
    bool arrivals = false;      // since the last look for complete groups
    std::uint32_t rounds_at_active_mask = 0;
  };
  enum class Turn { progress, idle, failed };

  Turn take_turn(Warp& warp);
  bool resume_lanes(Warp& warp, bool& progress);
  void note_state(Warp& warp, std::uint32_t lane);
  bool release_lanes(Warp& warp);
  void fill_waits(const Warp& warp, WarpWaits& waits) const;
  bool open_numbered_barriers();
  bool waits_for_some(std::uint32_t thread) const;
  bool release_barrier();
  bool pass_grid_barrier();

  FiberWorker& worker_;
  FiberPool& pool_;
  BlockStorage storage_;
  std::unique_ptr<FiberChecks> checks_;
  Part* part_ = nullptr;
  std::vector<Fiber*> fibers_;
  std::vector<Warp> warps_;
  std::uint32_t alive_ = 0;
  std::uint32_t at_barrier_ = 0;
  bool uses_numbered_ = false;
  NumberedBarriers numbered_;
  std::uint32_t at_children_ = 0;
  std::optional<std::uint32_t> grid_phase_;  // in which the block waits for the grid
};

}  // namespace gridspan::devices::cpu
