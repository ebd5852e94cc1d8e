// Ordered maps of live, retiring and freed ranges.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/allocation_table.h"

#include <iterator>

namespace gridspan::runtime {

const Allocation* AllocationTable::holder(const Ranges& ranges, std::uintptr_t address) {
  auto after = ranges.upper_bound(address);
  if (after == ranges.begin()) return nullptr;
  const Allocation& candidate = std::prev(after)->second;
  return address < candidate.end() ? &candidate : nullptr;
}

bool AllocationTable::overlaps(const Ranges& ranges, std::uintptr_t base, std::uintptr_t end) {
  if (holder(ranges, base)) return true;
  const auto next = ranges.lower_bound(base);
  return next != ranges.end() && next->first < end;
}

bool AllocationTable::insert(const Allocation& allocation) {
  if (allocation.size == 0 || allocation.end() < allocation.base) return false;
  const std::unique_lock lock(mutex_);
  if (overlaps(live_, allocation.base, allocation.end())) return false;
  if (overlaps(retiring_, allocation.base, allocation.end())) return false;
  forget_freed(allocation.base, allocation.end());
  live_.emplace(allocation.base, allocation);
  ++changes_;
  if (listener_ != nullptr) listener_->added(allocation);
  bytes_[static_cast<std::size_t>(allocation.kind)] += allocation.size;
  return true;
}

Lookup AllocationTable::find(const void* address) const {
  const auto value = reinterpret_cast<std::uintptr_t>(address);
  const std::shared_lock lock(mutex_);
  if (const Allocation* found = holder(live_, value)) return {Lookup::State::live, *found};
  if (const Allocation* found = holder(retiring_, value)) return {Lookup::State::retiring, *found};
  if (const Allocation* found = holder(freed_, value)) return {Lookup::State::freed, *found};
  return {};
}

void AllocationTable::end_retirement(std::uintptr_t base) {
  const std::unique_lock lock(mutex_);
  const auto at = retiring_.find(base);
  if (at == retiring_.end()) return;
  const Allocation ended = at->second;
  retiring_.erase(at);
  ++changes_;
  discount(ended);
  remember_freed(ended);
}

void AllocationTable::undo_retirement(std::uintptr_t base) {
  const std::unique_lock lock(mutex_);
  live_.insert(retiring_.extract(base));
  ++changes_;
}

void AllocationTable::drop_stale_registrations(const void* base, std::size_t size) {
  const auto first = reinterpret_cast<std::uintptr_t>(base);
  const std::unique_lock lock(mutex_);
  auto at = live_.upper_bound(first);
  if (at != live_.begin() && std::prev(at)->second.end() > first) --at;
  while (at != live_.end() && at->first < first + size) {
    at = at->second.kind == MemoryKind::registered ? erase_live(at) : std::next(at);
  }
}

std::optional<Allocation> AllocationTable::forget(const void* base, MemoryKind kind) {
  const std::unique_lock lock(mutex_);
  const auto at = live_.find(reinterpret_cast<std::uintptr_t>(base));
  if (at == live_.end() || at->second.kind != kind) return std::nullopt;
  const Allocation removed = at->second;
  erase_live(at);
  return removed;
}

std::vector<Allocation> AllocationTable::remove_all(MemoryKind kind, int device) {
  std::vector<Allocation> removed;
  const std::unique_lock lock(mutex_);
  for (auto at = live_.begin(); at != live_.end();) {
    if (at->second.kind != kind || at->second.device != device) {
      ++at;
      continue;
    }
    removed.push_back(at->second);
    if (listener_ != nullptr) listener_->retiring(at->second);
    at = erase_live(at);
  }
  for (const Allocation& allocation : removed) remember_freed(allocation);
  return removed;
}

std::vector<Allocation> AllocationTable::held() const {
  std::vector<Allocation> all;
  const std::shared_lock lock(mutex_);
  all.reserve(live_.size() + retiring_.size());
  for (const Ranges* ranges : {&live_, &retiring_}) {
    for (const auto& [base, allocation] : *ranges) all.push_back(allocation);
  }
  return all;
}

std::size_t AllocationTable::bytes(MemoryKind kind) const {
  const std::shared_lock lock(mutex_);
  return bytes_[static_cast<std::size_t>(kind)];
}

AllocationTable::Ranges::iterator AllocationTable::erase_live(Ranges::iterator at) {
  discount(at->second);
  ++changes_;
  return live_.erase(at);
}

/// It is not held any more.
void AllocationTable::discount(const Allocation& allocation) {
  if (listener_ != nullptr) listener_->removed(allocation);
  bytes_[static_cast<std::size_t>(allocation.kind)] -= allocation.size;
}

void AllocationTable::remember_freed(const Allocation& allocation) {
  // freed_ is disjoint from what is held, `allocation` among it, so there is nothing to overlap.
  freed_.emplace(allocation.base, allocation);
  freed_order_.push_back(allocation.base);
  if (freed_order_.size() <= freed_limit) return;
  freed_.erase(freed_order_.front());
  freed_order_.pop_front();
}

void AllocationTable::forget_freed(std::uintptr_t base, std::uintptr_t end) {
  auto first = freed_.upper_bound(base);
  if (first != freed_.begin() && std::prev(first)->second.end() > base) --first;
  while (first != freed_.end() && first->first < end) first = freed_.erase(first);
}

const char* AllocationTable::check() const {
  const std::shared_lock lock(mutex_);
  std::size_t counted[memory_kinds] = {};
  for (const Ranges* held : {&live_, &retiring_}) {
    const Ranges& others = held == &live_ ? retiring_ : live_;
    std::uintptr_t end = 0;
    for (const auto& [base, allocation] : *held) {
      if (base != allocation.base || allocation.size == 0) return "a range is misfiled or empty";
      if (base < end || overlaps(others, base, allocation.end())) return "two held ranges overlap";
      if (overlaps(freed_, base, allocation.end())) return "a freed range overlaps a held one";
      counted[static_cast<std::size_t>(allocation.kind)] += allocation.size;
      end = allocation.end();
    }
  }
  for (std::size_t kind = 0; kind < memory_kinds; ++kind) {
    if (counted[kind] != bytes_[kind]) return "the byte counts are wrong";
  }
  return freed_.size() <= freed_limit ? nullptr : "too many freed ranges are remembered";
}

}  // namespace gridspan::runtime
