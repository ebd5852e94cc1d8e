// Interpret mode: finds misuse of barriers, warp operations and shared memory in one block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/fiber_checks.h"

#include "devices/cpu/block_storage.h"
#include "devices/cpu/messages.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <cstring>

namespace gridspan::devices::cpu {
namespace {

std::string mask_text(std::uint32_t value) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", value);
  return text;
}

bool is_same_point(const abi::SourcePoint* a, const abi::SourcePoint* b) {
  if (a == b || a == nullptr || b == nullptr) return a == b;
  const bool same_file = a->file == b->file || (a->file != nullptr && b->file != nullptr &&
                                                std::strcmp(a->file, b->file) == 0);
  return same_file && a->line == b->line && a->column == b->column;
}

std::string at_place(const abi::SourcePoint* where) {
  const std::string place = place_text(where);
  return place.empty() ? "elsewhere" : "at " + place;
}

}  // namespace

std::string FiberChecks::thread_text(const Fiber& fiber) const {
  return block_text(part_->kernel(), block_->block_index) + ", thread " +
         index_text(fiber.thread.thread_index);
}

void FiberChecks::start(Part& part, abi::BlockContext& block, std::uint64_t shared_bytes) {
  part_ = &part;
  block_ = &block;
  written_.assign(shared_bytes, 0);
  races_.start(block.thread_count, block.shared, shared_bytes);
  if (memory_) memory_->start(part, block, shared_bytes);
  for (std::uint64_t at = 0; at < shared_bytes; at += sizeof shared_poison) {
    std::memcpy(block.shared + at, &shared_poison,
                std::min<std::uint64_t>(sizeof shared_poison, shared_bytes - at));
  }
}

const abi::GoodPlaces* FiberChecks::good_places() const {
  static constexpr auto only_inside = [] {
    std::array<abi::GoodPlaces, abi::access_slots + 1> places{};
    places[abi::inside_slot] = {0, ~std::uint64_t{0}};
    return places;
  }();
  if (memory_) return memory_->good_places();
  const bool looks_at_shared = choice_.shared_races || choice_.shared_init;
  return looks_at_shared ? only_inside.data() : all_places_are_good.data();
}

void FiberChecks::access(Fiber& fiber, const Access& access) {
  report(races_.settle());
  if (memory_) memory_->settle();
  const auto [begin, size, kind, where, slot] = access;
  fiber.access_where = where;
  fiber.access_begin = begin;
  fiber.access_size = size;
  const auto shared = reinterpret_cast<std::uintptr_t>(block_->shared);
  if (begin < shared || begin >= shared + written_.size() || size == 0) {
    if (memory_) memory_->access(fiber, access);
    return;
  }
  if (memory_) memory_->shared_access(fiber, access);
  const std::uint64_t offset = begin - shared;
  const std::uint64_t inside = std::min<std::uint64_t>(size, written_.size() - offset);
  std::uint8_t* const flags = written_.data() + offset;
  if (inside < size) {
    log_.report(*part_, where, "bounds",
                thread_text(fiber) + ": access of " + std::to_string(size) +
                    " bytes runs past the end of shared memory (" +
                    std::to_string(written_.size()) + " bytes)");
  }
  const bool is_plain = (kind & abi::access_synchronises) == 0;
  if ((kind & abi::access_stores) != 0) {
    std::memset(flags, 1, inside);
    if (is_plain && choice_.shared_races) races_.store(fiber.thread.thread, offset, inside, where);
    return;
  }
  if (is_plain && choice_.shared_races)
    report(races_.load(fiber.thread.thread, offset, inside, where));
  if ((kind & abi::access_copies) != 0 || !choice_.shared_init) return;
  if (const void* hole = std::memchr(flags, 0, inside)) {
    const auto at = static_cast<const std::uint8_t*>(hole) - written_.data();
    log_.warn(*part_, where, "uninitialised",
              thread_text(fiber) + ": read of uninitialised shared memory (byte " +
                  std::to_string(at) + " of the block's)");
    std::memset(flags, 1, inside);  // one report for each byte is enough
  }
}

void FiberChecks::release_block(const std::vector<Fiber*>& fibers) {
  races_.tick();
  for (const Fiber* fiber : fibers)
    if (fiber->state == FiberState::at_block_barrier) races_.pass_block(fiber->thread.thread);
  if (!memory_) return;
  const bool is_grid = std::ranges::any_of(fibers, [](const Fiber* fiber) {
    return fiber->state == FiberState::at_block_barrier &&
           fiber->kind == abi::SyncKind::grid_barrier;
  });
  memory_->release_block(fibers, is_grid);
}

void FiberChecks::release_lanes(std::uint32_t first_thread, std::uint32_t lanes) {
  races_.tick();
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1)
    races_.pass_warp(first_thread + static_cast<std::uint32_t>(std::countr_zero(rest)));
  if (memory_) memory_->release_lanes(first_thread, lanes);
}

void FiberChecks::synchronise(std::uint32_t thread) {
  races_.tick();
  races_.pass_block(thread);
  if (memory_) memory_->synchronise(thread);
}

std::string FiberChecks::thread_index(std::uint32_t thread) const {
  const abi::Dim size = part_->launch().block;
  return index_text({thread % size.x, thread / size.x % size.y, thread / size.x / size.y});
}

void FiberChecks::report(const std::optional<SharedRace>& race) {
  if (!race) return;
  using Kind = SharedRace::Kind;
  const bool same_warp = race->thread / abi::warp_size == race->other / abi::warp_size;
  const char* what = race->kind == Kind::read_after_write   ? " reads what thread "
                     : race->kind == Kind::write_after_read ? " overwrites what thread "
                                                            : " writes another value than thread ";
  const char* before = race->kind == Kind::write_after_read ? " reads " : " writes ";
  log_.warn(*part_, race->where, "race",
            block_text(part_->kernel(), block_->block_index) + ": race in shared memory: thread " +
                thread_index(race->thread) + what + thread_index(race->other) + before +
                at_place(race->before) + ", with no " +
                (same_warp ? "__syncwarp or __syncthreads" : "__syncthreads") + " in between");
}

void FiberChecks::warp_operation(const Fiber& fiber, std::uint32_t mask) {
  const std::uint32_t lane = fiber.thread.thread % abi::warp_size;
  if (fiber.kind == abi::SyncKind::warp_step) return;
  if (!choice_.sync || fiber.kind == abi::SyncKind::active_mask || ((mask >> lane) & 1) != 0)
    return;
  log_.report(*part_, fiber.where, "mask",
              thread_text(fiber) + ": lane " + std::to_string(lane) + " calls " +
                  sync_name(fiber.kind) + " with mask " + mask_text(mask) +
                  ", which does not contain it");
}

void FiberChecks::barrier(const std::vector<Fiber*>& fibers) {
  if (!choice_.sync) return;
  if (choice_.early_exits) early_exits(fibers);
  const Fiber* first = nullptr;
  for (const Fiber* fiber : fibers) {
    if (fiber->state != FiberState::at_block_barrier) continue;
    if (first == nullptr) first = fiber;
    if (fiber->kind == first->kind && is_same_point(fiber->where, first->where)) continue;
    log_.report(*part_, first->where, "divergent",
                thread_text(*first) + ": waits at " + sync_name(first->kind) +
                    " here while thread " + index_text(fiber->thread.thread_index) +
                    " of the block waits at " + sync_name(fiber->kind) + " " +
                    at_place(fiber->where));
    return;
  }
}

void FiberChecks::early_exits(const std::vector<Fiber*>& fibers) {
  const auto waits = [](const Fiber* fiber) {
    return fiber->state == FiberState::at_block_barrier;
  };
  const auto left = [](const Fiber* fiber) {
    return fiber->state == FiberState::left && !fiber->is_abandoned;
  };
  const auto waiting = std::ranges::find_if(fibers, waits);
  const auto gone = std::ranges::find_if(fibers, left);
  if (waiting == fibers.end() || gone == fibers.end()) return;
  const auto count = std::ranges::count_if(fibers, left);
  log_.warn(*part_, (*waiting)->where, "left",
            thread_text(**waiting) + ": waits at " + sync_name((*waiting)->kind) + ", which " +
                std::to_string(count) + (count == 1 ? " thread" : " threads") +
                " of the block never reached: the first is thread " +
                index_text((*gone)->thread.thread_index) + ", which has left");
}

bool FiberChecks::masks_disagree(const std::vector<Fiber*>& fibers) {
  if (!choice_.sync) return false;
  for (const Fiber* one : fibers) {
    if (one->state != FiberState::at_warp_operation) continue;
    const std::uint32_t warp = one->thread.thread / abi::warp_size * abi::warp_size;
    const std::uint32_t mask = block_->sync_mask[one->thread.thread];
    for (std::uint32_t t = warp; t < warp + abi::warp_size && t < fibers.size(); ++t) {
      const Fiber& other = *fibers[t];
      const bool both = other.state == FiberState::at_warp_operation && other.kind == one->kind &&
                        ((mask >> (t - warp)) & 1) != 0;
      if (!both || block_->sync_mask[t] == mask) continue;
      log_.report(*part_, one->where, "masks",
                  thread_text(*one) + ": calls " + sync_name(one->kind) + " with mask " +
                      mask_text(mask) + " while thread " + index_text(other.thread.thread_index) +
                      " of it calls it with mask " + mask_text(block_->sync_mask[t]));
      return true;
    }
  }
  return false;
}

}  // namespace gridspan::devices::cpu
