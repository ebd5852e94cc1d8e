// One resident thread block on fibers: who may run, who waits, what releases them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/fiber_block.h"

#include "devices/cpu/block_barrier.h"
#include "devices/cpu/fiber_worker.h"
#include "devices/cpu/messages.h"

#include <algorithm>
#include <bit>

namespace gridspan::devices::cpu {
namespace {

using abi::SyncKind;
using abi::warp_size;

/// Rounds a warp may take before the next one's turn.
constexpr int rounds_per_turn = 64;
/// Rounds that lanes at __activemask wait for others of the warp that still run. Whoever comes
/// within that time is active with them; a lane that spins for longer may be waiting for them.
constexpr std::uint32_t active_mask_patience = 256;

}  // namespace

FiberBlock::FiberBlock(FiberWorker& worker, FiberPool& pool, MisuseLog* checks)
    : worker_(worker),
      pool_(pool),
      checks_(checks != nullptr ? std::make_unique<FiberChecks>(*checks) : nullptr) {}

void FiberBlock::start(Part& part, abi::Dim block_index) {
  part_ = &part;
  abi::BlockContext& context = storage_.prepare(part.kernel(), part.launch(), false);
  context.block_index = block_index;
  context.executor = this;
  if (checks_) {
    checks_->start(part, context, shared_bytes(part.kernel(), part.launch()));
    context.good_places = checks_->good_places();
  }

  const std::uint32_t threads = context.thread_count;
  pool_.take(threads, fibers_);
  const abi::Dim shape = part.launch().block;
  abi::Dim index{0, 0, 0};
  for (std::uint32_t t = 0; t < threads; ++t) {
    Fiber& fiber = *fibers_[t];
    fiber.kernel = &part.kernel();
    fiber.thread = {&context, index, t};
    fiber.state = FiberState::ready;
    fiber.where = nullptr;
    fiber.access_where = nullptr;
    if (++index.x == shape.x) {
      index.x = 0;
      if (++index.y == shape.y) {
        index.y = 0;
        ++index.z;
      }
    }
  }
  warps_.clear();
  for (std::uint32_t first = 0; first < threads; first += warp_size) {
    const std::uint32_t lanes = all_lanes >> (warp_size - std::min(warp_size, threads - first));
    warps_.push_back({.first = first, .live = lanes, .ready = lanes});
  }
  alive_ = threads;
  at_barrier_ = 0;
  numbered_.reset();
  uses_numbered_ = false;
  at_children_ = 0;
  grid_phase_.reset();
}

void FiberBlock::end() { pool_.give_back(fibers_); }

FiberBlock::Pass FiberBlock::pass() {
  bool progress = false;
  for (Warp& warp : warps_) {
    if (warp.ready == 0 && warp.waiting == 0) continue;
    const Turn turn = take_turn(warp);
    if (turn == Turn::failed) return Pass::failed;
    progress |= turn == Turn::progress;
  }
  if (uses_numbered_) progress |= open_numbered_barriers();
  if (at_barrier_ != 0 && at_barrier_ == alive_) progress |= release_barrier();
  if (alive_ == 0) return Pass::finished;
  if (progress) return Pass::progress;
  if (grid_phase_) return Pass::spinning;
  const bool someone_runs =
      std::any_of(warps_.begin(), warps_.end(), [](const Warp& warp) { return warp.ready != 0; });
  if (at_children_ != 0) return Pass::at_children;  // who spins may wait for them, too
  return someone_runs ? Pass::spinning : Pass::deadlock;
}

FiberBlock::Turn FiberBlock::take_turn(Warp& warp) {
  bool progress = false;
  for (int round = 0; round < rounds_per_turn; ++round) {
    if (warp.waiting != 0) progress |= release_lanes(warp);
    if (warp.ready == 0) break;
    if (!resume_lanes(warp, progress)) return Turn::failed;
  }
  return progress ? Turn::progress : Turn::idle;
}

/// One round: every lane that can run runs once. False: a fault.
bool FiberBlock::resume_lanes(Warp& warp, bool& progress) {
  for (std::uint32_t rest = warp.ready; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    Fiber& fiber = *fibers_[warp.first + lane];
    if (!worker_.resume(fiber)) return false;
    if (checks_) checks_->stopped();
    if (fiber.state == FiberState::ready) continue;
    note_state(warp, lane);
    progress = true;
  }
  return true;
}

/// A lane stopped running: books where it went.
void FiberBlock::note_state(Warp& warp, std::uint32_t lane) {
  const std::uint32_t bit = 1u << lane;
  warp.ready &= ~bit;
  switch (fibers_[warp.first + lane]->state) {
    case FiberState::ready:
      break;
    case FiberState::at_warp_operation:
      warp.waiting |= bit;
      warp.arrivals = true;
      break;
    case FiberState::at_block_barrier:
      ++(fibers_[warp.first + lane]->kind == SyncKind::children ? at_children_ : at_barrier_);
      break;
    case FiberState::left:
      warp.live &= ~bit;
      --alive_;
      warp.arrivals = true;  // others may have waited for it
      break;
  }
}

/// Lanes that wait for others of their warp, though the program does not say so.
static std::uint32_t at_steps(const WarpWaits& waits) {
  std::uint32_t lanes = 0;
  for (std::uint32_t rest = waits.waiting; rest != 0; rest &= rest - 1)
    if (waits.kind[std::countr_zero(rest)] == SyncKind::warp_step) lanes |= rest & -rest;
  return lanes;
}

/// Performs the warp operations that are complete. True if any lane may go on.
bool FiberBlock::release_lanes(Warp& warp) {
  const bool nobody_runs = warp.ready == 0;
  ++warp.rounds_at_active_mask;
  const bool patient = !nobody_runs && warp.rounds_at_active_mask < active_mask_patience;
  if (!warp.arrivals && patient) return false;
  warp.arrivals = false;
  WarpWaits waits;
  fill_waits(warp, waits);
  const WarpOperands operands = warp_operands(storage_.context(), warp.first);
  std::uint32_t released = release_groups(waits, operands);
  if (released == 0 && !patient) released = release_unnamed(waits, operands);
  if (!patient) warp.rounds_at_active_mask = 0;
  if (released == 0) return false;
  if (checks_) checks_->release_lanes(warp.first, released & ~at_steps(waits));
  for (std::uint32_t rest = released; rest != 0; rest &= rest - 1) {
    fibers_[warp.first + static_cast<std::uint32_t>(std::countr_zero(rest))]->state =
        FiberState::ready;
  }
  warp.waiting &= ~released;
  warp.ready |= released;
  return true;
}

void FiberBlock::fill_waits(const Warp& warp, WarpWaits& waits) const {
  waits.live = warp.live;
  waits.waiting = warp.waiting;
  for (std::uint32_t rest = warp.waiting; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const Fiber& fiber = *fibers_[warp.first + static_cast<std::uint32_t>(lane)];
    waits.kind[lane] = fiber.kind;
    waits.place[lane] = reinterpret_cast<std::uintptr_t>(fiber.where);
    waits.order[lane] = storage_.context().sync_lane[fiber.thread.thread];
  }
}

void FiberBlock::release_from_children() {
  if (checks_) checks_->release_some();
  for (Warp& warp : warps_) {
    for (std::uint32_t rest = warp.live; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
      Fiber& fiber = *fibers_[warp.first + lane];
      if (fiber.state != FiberState::at_block_barrier || fiber.kind != SyncKind::children) continue;
      fiber.state = FiberState::ready;
      if (checks_) checks_->release(fiber.thread.thread);
      warp.ready |= 1u << lane;
    }
  }
  at_children_ = 0;
}

bool FiberBlock::waits_for_some(std::uint32_t thread) const {
  const Fiber& fiber = *fibers_[thread];
  return fiber.state == FiberState::at_block_barrier &&
         is_for_some(fiber.kind, storage_.context().sync_value[thread]);
}

/// True if any thread may go on.
bool FiberBlock::open_numbered_barriers() {
  if (checks_) checks_->release_some();
  return numbered_.open(
      storage_.context(), alive_,
      [this](std::uint32_t t, SyncKind& kind) {
        kind = fibers_[t]->kind;
        return waits_for_some(t);
      },
      [this](std::uint32_t t) {
        fibers_[t]->state = FiberState::ready;
        if (checks_) checks_->release(t);
        warps_[t / warp_size].ready |= 1u << t % warp_size;
        --at_barrier_;
      });
}

/// Everybody alive waits at a block barrier. False: for more than this block, or for some of it.
bool FiberBlock::release_barrier() {
  for (std::uint32_t t = 0; t < fibers_.size(); ++t) {
    if (waits_for_some(t)) return false;
  }
  const auto waits_for_grid = std::ranges::count_if(fibers_, [](const Fiber* fiber) {
    return fiber->state == FiberState::at_block_barrier && fiber->kind == SyncKind::grid_barrier;
  });
  if (waits_for_grid != 0 && (waits_for_grid != alive_ || !pass_grid_barrier())) return false;
  if (checks_) {
    checks_->barrier(fibers_);
    checks_->release_block(fibers_);
  }
  reduce_at_barriers(storage_.context(), [&](std::uint32_t t, SyncKind& kind) {
    kind = fibers_[t]->kind;
    return fibers_[t]->state == FiberState::at_block_barrier;
  });
  for (Fiber* fiber : fibers_) {
    if (fiber->state == FiberState::at_block_barrier) fiber->state = FiberState::ready;
  }
  for (Warp& warp : warps_) warp.ready = warp.live;
  at_barrier_ = 0;
  return true;
}

/// True when all other blocks have arrived, too.
bool FiberBlock::pass_grid_barrier() {
  GridBarrier& barrier = part_->grid_barrier();
  if (!grid_phase_) grid_phase_ = barrier.arrive();
  if (barrier.phase() == *grid_phase_) return false;
  grid_phase_.reset();
  return true;
}

std::string FiberBlock::deadlock_text() const {
  std::vector<Waiting> waiting;
  for (const Fiber* fiber : fibers_) {
    if (fiber->state == FiberState::left) continue;
    waiting.push_back({fiber->thread.thread, fiber->kind, fiber->where});
  }
  return deadlock_message(part_->kernel(), context(), waiting);
}

bool FiberBlock::report_mask_misuse() { return checks_ && checks_->masks_disagree(fibers_); }

std::uint32_t FiberBlock::barrier(Fiber& fiber, SyncKind kind, std::uint32_t predicate,
                                  const abi::SourcePoint* where) {
  abi::BlockContext& block = storage_.context();
  const std::uint32_t t = fiber.thread.thread;
  block.sync_value[t] = predicate;
  fiber.kind = kind;
  fiber.where = where;
  fiber.state = FiberState::at_block_barrier;
  uses_numbered_ |= abi::is_partial(kind);
  worker_.suspend(fiber);
  return static_cast<std::uint32_t>(block.sync_value[t]);
}

std::uint64_t FiberBlock::warp_operation(Fiber& fiber, SyncKind kind, std::uint32_t mask,
                                         std::uint64_t value, std::uint32_t lane,
                                         std::uint32_t clamp, std::uint32_t* flag,
                                         const abi::SourcePoint* where) {
  abi::BlockContext& block = storage_.context();
  const std::uint32_t t = fiber.thread.thread;
  block.sync_mask[t] = mask;
  block.sync_value[t] = value;
  block.sync_lane[t] = lane;
  block.sync_clamp[t] = clamp;
  fiber.kind = kind;
  fiber.where = where;
  if (checks_) checks_->warp_operation(fiber, mask);
  fiber.state = FiberState::at_warp_operation;
  worker_.suspend(fiber);
  if (flag != nullptr) *flag = block.sync_flag[t];
  return block.sync_value[t];
}

}  // namespace gridspan::devices::cpu
