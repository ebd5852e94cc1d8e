// Interpret mode: threads of a block that meet in shared memory without a barrier between them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/shared_races.h"

#include "abi/launch.h"

#include <algorithm>

namespace gridspan::devices::cpu {

/// Bytes keep what earlier blocks did: it is older than the start.
void SharedRaces::start(std::uint32_t threads, const char* memory, std::uint64_t bytes) {
  memory_ = memory;
  start_ = ++now_;
  if (bytes_.size() < bytes) bytes_.resize(bytes);
  passed_.assign(threads, {start_, start_});
  store_.reset();
}

bool SharedRaces::is_ordered(const Access& first, std::uint32_t thread) const {
  if (first.time < start_ || first.thread == thread) return true;
  const Passed& passed = passed_[thread];
  const bool same_warp = first.thread / abi::warp_size == thread / abi::warp_size;
  return (same_warp ? std::max(passed.block, passed.warp) : passed.block) > first.time;
}

std::optional<SharedRace> SharedRaces::load(std::uint32_t thread, std::uint64_t byte,
                                            std::uint64_t size, const abi::SourcePoint* where) {
  std::optional<SharedRace> race;
  for (std::uint64_t i = byte; i < byte + size; ++i) {
    Byte& at = bytes_[i];
    if (!race && !is_ordered(at.writer, thread)) {
      race = {
          SharedRace::Kind::read_after_write, i, thread, at.writer.thread, where, at.writer.where};
    }
    const bool is_first = is_ordered(at.readers[0], thread);
    at.readers[is_first ? 0 : 1] = {now_, where, thread};
  }
  return race;
}

void SharedRaces::store(std::uint32_t thread, std::uint64_t byte, std::uint64_t size,
                        const abi::SourcePoint* where) {
  store_ = {thread, byte, where, {memory_ + byte, memory_ + byte + size}};
}

std::optional<SharedRace> SharedRaces::settle() {
  if (!store_) return std::nullopt;
  std::optional<SharedRace> race;
  const Store& store = *store_;
  for (std::uint64_t i = 0; i < store.before.size(); ++i) {
    Byte& at = bytes_[store.byte + i];
    const bool is_news = memory_[store.byte + i] != store.before[i];
    auto check = [&](const Access& first, SharedRace::Kind kind) {
      if (race || !is_news || is_ordered(first, store.thread)) return;
      race = {kind, store.byte + i, store.thread, first.thread, store.where, first.where};
    };
    check(at.readers[0], SharedRace::Kind::write_after_read);
    check(at.readers[1], SharedRace::Kind::write_after_read);
    check(at.writer, SharedRace::Kind::write_after_write);
    if (is_news || is_ordered(at.writer, store.thread))
      at.writer = {now_, store.where, store.thread};
  }
  store_.reset();
  return race;
}

}  // namespace gridspan::devices::cpu
