// Compares the allocation table with what was written of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asking the table at each command keeps the allocation calls free of the recorder, and gives the
// order that counts: what a command found when it was planned.
#include "runtime/record/memory_notes.h"

#include <algorithm>
#include <utility>

namespace gridspan::runtime::record {

void MemoryNotes::released(std::uintptr_t base) {
  const std::scoped_lock lock(mutex_);
  released_.insert(base);
}

void MemoryNotes::update(std::set<std::uintptr_t>& variables) {
  std::set<std::uintptr_t> released;
  {
    const std::scoped_lock lock(mutex_);
    released = std::exchange(released_, {});
  }
  std::map<std::uintptr_t, Allocation> now;
  for (const Allocation& allocation : table_.held()) now.emplace(allocation.base, allocation);
  for (const auto& [base, allocation] : known_) {
    const auto found = now.find(base);
    const bool stays = found != now.end() && found->second == allocation;
    if (!stays || released.contains(base)) write(allocation, false);
  }
  for (const auto& [base, allocation] : now) {
    const auto found = known_.find(base);
    const bool was_there = found != known_.end() && found->second == allocation;
    if (was_there && !released.contains(base)) continue;
    write(allocation, true);
    if (allocation.kind == MemoryKind::symbol) variables.insert(base);
  }
  known_ = std::move(now);
}

void MemoryNotes::write(const Allocation& allocation, bool held) {
  recorder_.write(MemoryNote{allocation.base, allocation.size,
                             static_cast<std::uint8_t>(allocation.kind), allocation.flags, held});
}

bool MemoryNotes::has_host_memory() const {
  return std::ranges::any_of(known_, [](const auto& one) { return is_host_kind(one.second.kind); });
}

void MemoryNotes::write_contents() {
  for (const auto& [base, allocation] : known_) {
    if (!is_host_kind(allocation.kind)) continue;
    ContentsNote note{base, recorder_.keep(reinterpret_cast<const char*>(base), allocation.size)};
    recorder_.write(std::move(note));
  }
}

bool MemoryNotes::is_host(const void* address) const {
  const Lookup found = table_.find(address);
  return !found.is_held() || is_host_kind(found.allocation.kind);
}

}  // namespace gridspan::runtime::record
