// Interpret mode: threads that meet in global memory without order between them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/global_races.h"

#include "abi/launch.h"

#include <algorithm>

namespace gridspan::devices::cpu {

void BlockOrder::start(std::uint64_t block, std::uint32_t threads, std::uint64_t now) {
  block_ = block;
  passed_.assign(threads, {now, now, now, now});
}

void BlockOrder::pass_together(const std::vector<std::uint32_t>& threads, std::uint64_t now,
                               bool is_warp) {
  std::uint64_t all = 0, fenced = 0, block = 0;
  for (const std::uint32_t thread : threads) {
    all = std::max(all, passed_[thread].all);
    fenced = std::max(fenced, passed_[thread].fenced);
    block = std::max(block, passed_[thread].block);
  }
  for (const std::uint32_t thread : threads) {
    Passed& passed = passed_[thread];
    passed.all = all;
    passed.fenced = fenced;
    passed.block = is_warp ? block : now;
    passed.warp = now;
  }
}

/// Cells keep what earlier launches did: it is older than the start. They are forgotten when they
/// are many.
void GlobalRaces::start_launch() {
  constexpr std::size_t many = 1 << 16;
  start_.store(tick(), std::memory_order_relaxed);
  fences_.clear();
  for (Shard& shard : shards_) {
    const std::scoped_lock lock(shard.mutex);
    if (shard.cells.size() > many) shard.cells.clear();
  }
}

bool GlobalRaces::is_ordered(const Access& first, const BlockOrder& order, std::uint32_t thread) {
  const BlockOrder::Passed& passed = order.of(thread);
  if (first.bytes == 0 || first.time < launched() || first.time < passed.all) return true;
  const std::uint32_t warp = first.who.thread / abi::warp_size;
  if (first.who.block != order.block())
    return first.time < passed.fenced &&
           fences_.has_fenced(first.who.block, warp, first.time, passed.fenced);
  if (first.who.thread == thread || first.time < passed.block) return true;
  return warp == thread / abi::warp_size && first.time < passed.warp;
}

GlobalRace GlobalRaces::race_with(const Access& first, GlobalRace::Kind kind,
                                  std::uintptr_t address, const BlockOrder& order,
                                  std::uint32_t thread) {
  const bool lacks_fence = first.who.block != order.block() && first.time < order.of(thread).fenced;
  return {kind, address, first.who, first.where, lacks_fence};
}

void GlobalRaces::release(const BlockOrder& order, std::uint32_t thread) {
  fences_.add(order.block(), thread / abi::warp_size, order.of(thread).block, tick());
}

template <class Body>
void GlobalRaces::for_cells(std::uintptr_t address, std::uint64_t size, Body body) {
  for (std::uintptr_t at = address; at < address + size;) {
    const std::uintptr_t cell = at / unit, end = std::min(address + size, (cell + 1) * unit);
    const auto bytes = static_cast<std::uint32_t>(((1u << (end - at)) - 1) << at % unit);
    Shard& shard = shards_[cell / 16 % shards];
    const std::scoped_lock lock(shard.mutex);
    body(shard.cells[cell], bytes, at);
    at = end;
  }
}

void GlobalRaces::forget(std::uintptr_t address, std::uint64_t size) {
  for_cells(address, size, [](Cell& cell, std::uint32_t, std::uintptr_t) { cell = {}; });
}

std::optional<GlobalRace> GlobalRaces::load(const BlockOrder& order, std::uint32_t thread,
                                            std::uintptr_t address, std::uint64_t size,
                                            const abi::SourcePoint* where) {
  std::optional<GlobalRace> race;
  const std::uint64_t now = now_.load(std::memory_order_relaxed);
  const GridThread me{order.block(), thread};
  for_cells(address, size, [&](Cell& cell, std::uint32_t bytes, std::uintptr_t at) {
    const Access& writer = cell.writer;
    if (!race && (writer.bytes & bytes) != 0 && !is_ordered(writer, order, thread))
      race = race_with(writer, GlobalRace::Kind::read_after_write, at, order, thread);
    Access& reader = cell.readers[is_ordered(cell.readers[0], order, thread) ? 0 : 1];
    const std::uint32_t known = reader.who == me && reader.time == now ? reader.bytes : 0;
    reader = {now, me, known | bytes, where};
  });
  return race;
}

std::optional<GlobalRace> GlobalRaces::store(const BlockOrder& order, std::uint32_t thread,
                                             std::uintptr_t address, std::uint64_t size,
                                             bool is_news, const abi::SourcePoint* where) {
  std::optional<GlobalRace> race;
  const std::uint64_t now = now_.load(std::memory_order_relaxed);
  const GridThread me{order.block(), thread};
  for_cells(address, size, [&](Cell& cell, std::uint32_t bytes, std::uintptr_t at) {
    const auto check = [&](const Access& first, GlobalRace::Kind kind) {
      if (race || !is_news || (first.bytes & bytes) == 0 || is_ordered(first, order, thread))
        return;
      race = race_with(first, kind, at, order, thread);
    };
    check(cell.readers[0], GlobalRace::Kind::write_after_read);
    check(cell.readers[1], GlobalRace::Kind::write_after_read);
    check(cell.writer, GlobalRace::Kind::write_after_write);
    if (!is_news && !is_ordered(cell.writer, order, thread)) return;
    const bool goes_on = cell.writer.who == me && cell.writer.time == now;
    cell.writer = {now, me, (goes_on ? cell.writer.bytes : 0) | bytes, where};
  });
  return race;
}

}  // namespace gridspan::devices::cpu
