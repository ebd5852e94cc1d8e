// Keeps the records, and puts in words how an address lies to them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/check/known_allocations.h"

#include "devices/written_bytes.h"
#include "runtime/check/host_memory.h"
#include "support/readable_name.h"

#include <cstdio>
#include <iterator>
#include <mutex>
#include <string_view>

namespace gridspan::runtime::check {
namespace {

/// Whoever is farther from every allocation did not miss one by a little.
constexpr std::uint64_t far_away = 4096;
constexpr std::uintptr_t null_bytes = 4096;

std::string hexadecimal(std::uintptr_t address) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%zx", static_cast<std::size_t>(address));
  return text;
}

std::string bytes_text(std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " byte" : " bytes");
}

/// Bytes between the access and the record's memory, 0 if they touch or meet.
std::uint64_t distance(const KnownAllocation& record, std::uintptr_t address, std::uint64_t size) {
  const std::uintptr_t end = record.base + record.requested;
  if (address >= end) return address - end;
  return address + size <= record.base ? record.base - address - size : 0;
}

std::string name_of(const KnownAllocation& record) {
  std::string text = "the " + bytes_text(record.requested) + " at " + hexadecimal(record.base);
  if (!record.variable.empty())
    text = "variable '" + record.variable + "', " + bytes_text(record.requested) + " at " +
           hexadecimal(record.base);
  return text;
}

std::string where(const KnownAllocation& record, std::uintptr_t address, std::uint64_t size) {
  const std::uintptr_t end = record.base + record.requested;
  if (address >= end) return bytes_text(address - end) + " behind the end of ";
  if (address < record.base) return bytes_text(record.base - address) + " before the beginning of ";
  if (address + size > end)
    return "running " + bytes_text(address + size - end) + " over the end of ";
  return bytes_text(address - record.base) + " inside ";
}

/// Names of C variables would be taken for types.
std::string variable_name(const char* name) {
  return std::string_view(name).starts_with("_Z") ? support::readable_name(name) : name;
}

std::string notes_of(const KnownAllocation& record, bool is_gone) {
  if (!record.variable.empty()) return {};
  std::string text = record.is_heap
                         ? "note: " + name_of(record) + " are of device code's own heap\n"
                         : note_of(name_of(record) + " are allocated", record.made_by);
  if (is_gone && !record.is_heap) text += note_of("and freed", record.freed_by);
  return text;
}

}  // namespace

KnownAllocation& KnownAllocations::add(const Allocation& allocation, std::uint64_t bytes) {
  forget_gone(allocation.base, bytes);
  all_.push_back(std::make_unique<KnownAllocation>(allocation, bytes));
  KnownAllocation& record = *all_.back();
  live_[allocation.base] = &record;
  return record;
}

/// Another allocation lies where they were.
void KnownAllocations::forget_gone(std::uintptr_t base, std::uint64_t bytes) {
  auto first = gone_.upper_bound(base);
  if (first != gone_.begin()) {
    const KnownAllocation& before = *std::prev(first)->second;
    if (before.base + before.requested > base) --first;
  }
  while (first != gone_.end() && first->first < base + bytes) first = gone_.erase(first);
}

void KnownAllocations::added(const Allocation& allocation) {
  const HostCall call = current_host_call();
  const std::unique_lock lock(mutex_);
  KnownAllocation& record =
      add(allocation, allocation.requested != 0 ? allocation.requested : allocation.size);
  record.made_by = call;
  devices::WrittenBytes* const written = devices::written_bytes.load();
  if (written != nullptr && allocation.kind == MemoryKind::device)
    written->add(record.base, record.requested);
  if (allocation.module != nullptr)
    record.variable = variable_name(allocation.module->symbols[allocation.symbol].name);
}

void KnownAllocations::retiring(const Allocation& allocation) {
  const HostCall call = current_host_call();
  const std::unique_lock lock(mutex_);
  const auto at = live_.find(allocation.base);
  if (at == live_.end()) return;
  at->second->freed_by = call;
  at->second->is_retired = true;
}

void KnownAllocations::removed(const Allocation& allocation) {
  const std::unique_lock lock(mutex_);
  remove(allocation.base);
}

void KnownAllocations::remove(std::uintptr_t base) {
  const auto at = live_.find(base);
  if (at == live_.end()) return;
  if (devices::WrittenBytes* const written = devices::written_bytes.load()) written->remove(base);
  at->second->size.store(0, std::memory_order_relaxed);
  gone_[base] = at->second;
  live_.erase(at);
}

void KnownAllocations::heap_allocated(const void* memory, std::uint64_t size) {
  const std::unique_lock lock(mutex_);
  Allocation made;
  made.base = reinterpret_cast<std::uintptr_t>(memory);
  made.size = size;
  add(made, size).is_heap = true;
}

void KnownAllocations::heap_freed(const void* memory) {
  const std::unique_lock lock(mutex_);
  remove(reinterpret_cast<std::uintptr_t>(memory));
}

KnownAllocation* KnownAllocations::holder(const Records& records, std::uintptr_t address) {
  const auto after = records.upper_bound(address);
  if (after == records.begin()) return nullptr;
  KnownAllocation* const candidate = std::prev(after)->second;
  return address - candidate->base < candidate->requested ? candidate : nullptr;
}

const devices::KnownMemory* KnownAllocations::find(std::uintptr_t address) {
  const std::shared_lock lock(mutex_);
  return holder(live_, address);
}

/// Of what is live, and of what is gone only what holds the address.
KnownAllocation* KnownAllocations::nearest(std::uintptr_t address, std::uint64_t size) const {
  if (KnownAllocation* const found = holder(live_, address)) return found;
  if (KnownAllocation* const found = holder(gone_, address)) return found;
  const auto after = live_.upper_bound(address);
  KnownAllocation* best = after == live_.end() ? nullptr : after->second;
  if (after != live_.begin()) {
    KnownAllocation* const before = std::prev(after)->second;
    if (best == nullptr || distance(*before, address, size) <= distance(*best, address, size))
      best = before;
  }
  return best;
}

devices::MemoryMap::Relation KnownAllocations::relation(std::uintptr_t address,
                                                        std::uint64_t size) {
  const std::shared_lock lock(mutex_);
  const KnownAllocation* const record = nearest(address, size);
  if (address < null_bytes) return {"a null pointer, or near it", {}};
  const bool is_far = record == nullptr || distance(*record, address, size) > far_away;
  const std::string host = is_far ? host_memory_at(address) : std::string();
  if (record == nullptr) return {host + (host.empty() ? "" : "; ") + "nothing is allocated", {}};
  const bool is_gone = record->size.load(std::memory_order_relaxed) == 0;
  std::string what = host + (host.empty() ? "" : "; ") + where(*record, address, size) +
                     name_of(*record) + (is_gone ? ", which were freed" : "");
  return {what, notes_of(*record, is_gone)};
}

devices::MemoryMap::Relation KnownAllocations::relation(const devices::KnownMemory& known,
                                                        std::uintptr_t address,
                                                        std::uint64_t size) {
  const auto& record = static_cast<const KnownAllocation&>(known);
  return {where(record, address, size) + name_of(record), notes_of(record, false)};
}

std::vector<const KnownAllocation*> KnownAllocations::left() const {
  std::vector<const KnownAllocation*> found;
  const std::shared_lock lock(mutex_);
  for (const auto& record : all_) {
    if (record->size.load(std::memory_order_relaxed) == 0 || record->is_retired) continue;
    const MemoryKind kind = record->allocation.kind;
    const bool is_variable = kind == MemoryKind::symbol || kind == MemoryKind::managed_variable;
    const bool is_ours = (record->allocation.flags & Allocation::is_ours) != 0;
    if (!is_variable && !is_ours && kind != MemoryKind::registered) found.push_back(record.get());
  }
  return found;
}

}  // namespace gridspan::runtime::check
