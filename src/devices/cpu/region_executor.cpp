// Runs one block of a kernel that was cut into regions at its sync points.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/region_executor.h"

#include "devices/cpu/block_barrier.h"
#include "devices/cpu/warp_groups.h"
#include "devices/cpu/warp_operations.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace gridspan::devices::cpu {

using abi::exited;
using abi::many_successors;
using abi::warp_size;

/// Does the block stop here until others have done something?
static bool pauses(abi::SyncKind kind) {
  return kind == abi::SyncKind::grid_barrier || kind == abi::SyncKind::children;
}

RegionExecutor::RegionExecutor(const abi::Kernel& kernel, abi::BlockContext& block,
                               const abi::Region*& running)
    : regions_(kernel.regions),
      block_(block),
      running_(running),
      threads_(block.thread_count),
      has_warp_operations_((kernel.flags & abi::kernel_has_warp_sync) != 0) {
  for (std::uint32_t i = 1; i < kernel.region_count; ++i) {
    const abi::SyncKind kind = regions_[i].kind;
    may_pause_ |= pauses(kind);
    has_partial_barriers_ |= abi::is_partial(kind);
    has_reductions_ |= is_reduction(kind);
    has_warp_operations_ |= !abi::is_block_wide(kind) || kind == abi::SyncKind::children;
  }
}

RegionExecutor::Outcome RegionExecutor::run_from(std::uint16_t at) {
  for (;;) {
    run(at, 0, threads_);
    std::uint16_t next = regions_[at].only_successor;
    bool converged = true;
    if (next == many_successors) {
      converged = all_threads_at_one_continuation();
      next = block_.next[0];
    }
    if (converged && next == exited) return Outcome::finished;
    if (converged && perform_converged(next)) {
      at = next;
      continue;
    }
    if (converged) std::fill_n(block_.next, threads_, next);
    if (const auto outcome = run_diverged(false)) return *outcome;
    at = block_.next[0];
  }
}

RegionExecutor::Outcome RegionExecutor::resume_block() {
  if (!all_threads_at_one_continuation()) {
    if (const auto outcome = run_diverged(!release_from_children())) return *outcome;
  }
  return run_from(block_.next[0]);
}

RegionExecutor::Outcome RegionExecutor::resume_waiting() {
  rounds_left_ = waiting_rounds;
  if (const auto outcome = run_diverged(false)) return *outcome;
  return run_from(block_.next[0]);
}

/// Those that waited for children, and nobody else, run to where they wait again. False: nobody
/// did.
bool RegionExecutor::release_from_children() {
  bool any = false;
  for (std::uint32_t first = 0; first < threads_; first += warp_size) {
    const std::uint32_t live = live_lanes(first);
    std::uint32_t released = 0;
    for (std::uint32_t rest = live; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
      if (regions_[block_.next[first + lane]].kind == abi::SyncKind::children)
        released |= 1u << lane;
    }
    any |= released != 0;
    run_lanes(first, released);
  }
  return any;
}

bool RegionExecutor::all_threads_at_one_continuation() const {
  // Equal neighbours everywhere: memcmp against itself, shifted by one, is the fastest way to ask.
  return std::memcmp(block_.next, block_.next + 1, (threads_ - 1) * sizeof *block_.next) == 0;
}

/// Performs the operation all threads wait at. False: more care is asked for, by their masks or
/// because the whole grid or some of the block take part.
bool RegionExecutor::perform_converged(std::uint16_t at) {
  const abi::SyncKind kind = regions_[at].kind;
  if (!abi::is_block_wide(kind)) return perform_converged_warps(kind);
  if (kind == abi::SyncKind::waiting_round && rounds_left_ != 0) {
    --rounds_left_;
    return true;
  }
  if (pauses(kind) || abi::is_partial(kind)) return false;
  reduce_at_uniform_barrier(block_, kind);
  return true;
}

bool RegionExecutor::perform_converged_warps(abi::SyncKind kind) {
  if (kind == abi::SyncKind::warp_step) return true;
  if (kind != abi::SyncKind::active_mask) {
    const std::uint32_t full = threads_ / warp_size * warp_size;
    std::uint32_t common = all_lanes;
    for (std::uint32_t t = 0; t < full; ++t) common &= block_.sync_mask[t];
    if (common != all_lanes) return false;
    for (std::uint32_t t = full; t < threads_; ++t) common &= block_.sync_mask[t];
    const std::uint32_t tail = (1u << threads_ % warp_size) - 1;
    if ((common & tail) != tail) return false;
  }
  for (std::uint32_t first = 0; first < threads_; first += warp_size) {
    const std::uint32_t lanes = std::min(warp_size, threads_ - first);
    perform_warp_operation(kind, warp_operands(block_, first), all_lanes >> (warp_size - lanes));
  }
  return true;
}

/// Entered with every thread at a sync point or gone and nothing performed yet, or `released` from
/// a block-wide one. Nothing: all threads may run the same region next.
std::optional<RegionExecutor::Outcome> RegionExecutor::run_diverged(bool released) {
  for (;; released = true) {
    if (has_warp_operations_) {
      for (std::uint32_t first = 0; first < threads_; first += warp_size) {
        if (!run_warp(first, released ? live_lanes(first) : 0)) return Outcome::deadlock;
      }
    } else if (released) {
      run_ranges(0, threads_);
    }
    if (has_partial_barriers_) {
      const auto stop = pass_partial_barriers();
      if (stop == Outcome::deadlock && may_pause_)  // unless children are waited for
        return look_for_pause().value_or(Outcome::deadlock);
      if (stop) return stop;
    }
    const bool together = all_threads_at_one_continuation();
    if (together && block_.next[0] == exited) return Outcome::finished;
    // Whoever is left waits at a block barrier, and nobody is still on the way to one.
    if (const auto outcome = look_for_pause()) return outcome;
    reduce_at_barrier();
    if (together) return std::nullopt;
  }
}

/// Thread `t` waits for some of the block.
bool RegionExecutor::waits_for_some(std::uint32_t t, abi::SyncKind& kind) const {
  const std::uint16_t at = block_.next[t];
  if (at == exited) return false;
  kind = regions_[at].kind;
  return is_for_some(kind, block_.sync_value[t]);
}

/// Who has gone round a waiting loop goes round again. False: nobody has.
bool RegionExecutor::let_waiting_go_on(
    std::uint32_t (&runnable)[abi::max_block_threads / abi::warp_size]) const {
  bool any = false;
  for (std::uint32_t t = 0; t < threads_; ++t) {
    const std::uint16_t at = block_.next[t];
    if (at == exited || regions_[at].kind != abi::SyncKind::waiting_round) continue;
    runnable[t / warp_size] |= 1u << t % warp_size;
    any = true;
  }
  return any;
}

/// Opens barriers for some of the block, and lets threads in waiting loops go on where that opens
/// none, until nobody can, each thread waiting or gone before and after. Nothing: no thread waits
/// there any more.
std::optional<RegionExecutor::Outcome> RegionExecutor::pass_partial_barriers() {
  for (;;) {
    std::uint32_t runnable[abi::max_block_threads / warp_size] = {};
    std::uint32_t live = 0;
    bool anyone = false;
    for (std::uint32_t t = 0; t < threads_; ++t) {
      abi::SyncKind kind{};
      live += block_.next[t] != exited;
      anyone |= waits_for_some(t, kind);
    }
    if (!anyone) return std::nullopt;
    const bool progress = numbered_.open(
        block_, live,
        [this](std::uint32_t t, abi::SyncKind& kind) {
          return waits_for_some(t, kind) && kind != abi::SyncKind::waiting_round;
        },
        [&](std::uint32_t t) { runnable[t / warp_size] |= 1u << t % warp_size; });
    if (!progress) {
      if (!let_waiting_go_on(runnable)) return Outcome::deadlock;
      if (rounds_left_ == 0) return Outcome::in_waiting_loops;
      --rounds_left_;
    }
    for (std::uint32_t first = 0; first < threads_; first += warp_size) {
      if (!run_warp(first, runnable[first / warp_size])) return Outcome::deadlock;
    }
  }
}

/// All threads wait for the block, for children or have left. For the grid waits the whole block or
/// nobody.
std::optional<RegionExecutor::Outcome> RegionExecutor::look_for_pause() const {
  if (!may_pause_) return std::nullopt;
  std::uint32_t live = 0, at_grid = 0, at_children = 0;
  for (std::uint32_t t = 0; t < threads_; ++t) {
    const std::uint16_t at = block_.next[t];
    if (at == exited) continue;
    ++live;
    at_grid += regions_[at].kind == abi::SyncKind::grid_barrier;
    at_children += regions_[at].kind == abi::SyncKind::children;
  }
  if (at_children != 0) return Outcome::at_children;
  if (at_grid == 0) return std::nullopt;
  return at_grid == live ? Outcome::at_grid_barrier : Outcome::deadlock;
}

/// Lets the lanes in `runnable` go on from next[], and the whole warp after them, until each lane
/// has left or waits at a block barrier, or for lanes that do. False: some lane waits for ever.
bool RegionExecutor::run_warp(std::uint32_t first, std::uint32_t runnable) {
  for (;;) {
    if (is_together(first, runnable))
      run_together(first);
    else
      run_lanes(first, runnable);
    const std::uint32_t lanes = std::min(warp_size, threads_ - first);
    std::uint32_t live = 0;
    std::uint32_t waiting = 0;
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      const std::uint16_t at = block_.next[first + lane];
      if (at == exited) continue;
      live |= 1u << lane;
      if (!abi::is_block_wide(regions_[at].kind)) waiting |= 1u << lane;
    }
    if (waiting == 0) return true;
    runnable = release_lanes(first, live, waiting);
    if (runnable == 0) return may_open_later(first, live & ~waiting);
  }
}

/// Some of the lanes are at barriers for some of the block, which may open before anything else
/// happens in their warp.
bool RegionExecutor::may_open_later(std::uint32_t first, std::uint32_t lanes) const {
  if (!has_partial_barriers_) return false;
  for (; lanes != 0; lanes &= lanes - 1) {
    abi::SyncKind kind{};
    if (waits_for_some(first + static_cast<std::uint32_t>(std::countr_zero(lanes)), kind))
      return true;
  }
  return false;
}

/// Each lane of a whole warp is in its own mask, and the lane that it reads from, too. Then it is
/// no matter what groups of lanes the masks make.
static bool stays_in_masks(const WarpOperands& operands) {
  std::uint32_t inside = 1;
  for (std::uint32_t lane = 0; lane < warp_size; ++lane) {
    const std::uint32_t mask = operands.mask[lane], from = operands.lane[lane] & (warp_size - 1);
    inside &= mask >> lane & mask >> from & static_cast<std::uint32_t>(operands.clamp[lane] == 31);
  }
  return inside != 0;
}

/// A whole warp is at an operation. False: it is for a part of the warp, or the block.
static bool perform_for_whole_warp(abi::SyncKind kind, const WarpOperands& operands) {
  if (abi::is_block_wide(kind)) return false;
  if (kind == abi::SyncKind::warp_step) return true;
  if (kind != abi::SyncKind::active_mask) {
    std::uint32_t common = all_lanes;
    for (std::uint32_t lane = 0; lane < warp_size; ++lane) common &= operands.mask[lane];
    if (common != all_lanes && (kind != abi::SyncKind::shuffle_index || !stays_in_masks(operands)))
      return false;
  }
  perform_warp_operation(kind, operands, all_lanes);
  return true;
}

/// A whole warp goes on from one place.
bool RegionExecutor::is_together(std::uint32_t first, std::uint32_t runnable) const {
  const std::uint16_t* next = block_.next + first;
  return runnable == all_lanes && std::memcmp(next, next + 1, (warp_size - 1) * sizeof *next) == 0;
}

/// Runs a whole warp from one warp operation to the next until its lanes part, or are at one that
/// needs more care, or at a block barrier.
void RegionExecutor::run_together(std::uint32_t first) {
  const WarpOperands operands = warp_operands(block_, first);
  std::uint16_t* const next = block_.next + first;
  std::uint16_t at = next[0];
  do {
    run(at, first, first + warp_size);
    const std::uint16_t only = regions_[at].only_successor;
    if (only == many_successors && !is_together(first, all_lanes)) return;
    at = only == many_successors ? next[0] : only;
  } while (at != exited && perform_for_whole_warp(regions_[at].kind, operands));
  std::fill_n(next, warp_size, at);
}

void RegionExecutor::run_lanes(std::uint32_t first, std::uint32_t runnable) {
  while (runnable != 0) {
    const auto begin = static_cast<std::uint32_t>(std::countr_zero(runnable));
    const std::uint16_t at = block_.next[first + begin];
    std::uint32_t end = begin;
    do {
      runnable &= runnable - 1;
      ++end;
    } while (end < warp_size && ((runnable >> end) & 1) != 0 && block_.next[first + end] == at);
    run_range(at, first + begin, first + end);
  }
}

/// Performs the operations that are complete; returns the lanes that may go on.
std::uint32_t RegionExecutor::release_lanes(std::uint32_t first, std::uint32_t live,
                                            std::uint32_t waiting) {
  WarpWaits waits;
  waits.live = live;
  waits.waiting = waiting;
  const WarpOperands operands = warp_operands(block_, first);
  const std::uint16_t leader = block_.next[first + std::countr_zero(waiting)];
  bool same_place = true;
  std::uint32_t common_mask = all_lanes;
  for (std::uint32_t rest = waiting; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const std::uint16_t at = block_.next[first + lane];
    waits.kind[lane] = regions_[at].kind;
    waits.place[lane] = at;
    waits.order[lane] = at;
    same_place &= at == leader;
    common_mask &= operands.mask[lane];
  }
  const abi::SyncKind kind = regions_[leader].kind;
  if (same_place && kind == abi::SyncKind::warp_step) return waiting;
  if (same_place && waiting == live && kind != abi::SyncKind::active_mask &&
      (common_mask & live) == live) {
    perform_warp_operation(kind, operands, live);  // the warp is converged
    return live;
  }
  const std::uint32_t released = release_groups(waits, operands);
  return released != 0 ? released : release_unnamed(waits, operands);
}

void RegionExecutor::run_range(std::uint16_t region, std::uint32_t first, std::uint32_t last) {
  run(region, first, last);
  const std::uint16_t next = regions_[region].only_successor;
  if (next != many_successors) std::fill(block_.next + first, block_.next + last, next);
}

/// Runs every thread in [first, last) that has not left, neighbours at one continuation together.
void RegionExecutor::run_ranges(std::uint32_t first, std::uint32_t last) {
  while (first < last) {
    const std::uint16_t at = block_.next[first];
    std::uint32_t end = first + 1;
    while (end < last && block_.next[end] == at) ++end;
    if (at != exited) run_range(at, first, end);
    first = end;
  }
}

void RegionExecutor::reduce_at_barrier() {
  if (!has_reductions_) return;
  reduce_at_barriers(block_, [&](std::uint32_t t, abi::SyncKind& kind) {
    const std::uint16_t at = block_.next[t];
    if (at != exited) kind = regions_[at].kind;
    return at != exited;
  });
}

std::uint32_t RegionExecutor::live_lanes(std::uint32_t first) const {
  const std::uint32_t lanes = std::min(warp_size, threads_ - first);
  std::uint32_t live = 0;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    live |= static_cast<std::uint32_t>(block_.next[first + lane] != exited) << lane;
  }
  return live;
}

}  // namespace gridspan::devices::cpu
