// Keeps, hands out again, frees.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/returned_memory.h"

#include "runtime/api/runtime_state.h"

#include <algorithm>

namespace gridspan::runtime {

/// A program that never waits must not fill the device with what it gave back.
constexpr std::size_t most_is_total_over = 4;

void ReturnedMemory::add(Runtime& state, const Allocation& allocation, unsigned line,
                         Sequence sequence, std::uint64_t may_stay) {
  bool is_much = false;
  {
    const std::scoped_lock lock(mutex_);
    entries_.push_back({allocation, line, sequence, may_stay});
    bytes_ += allocation.size;
    count_.store(entries_.size());
    is_much = bytes_ > state.memory.total() / most_is_total_over;
  }
  if (is_much) settle_all(state);
}

void* ReturnedMemory::take(Runtime& state, std::size_t size, int device, unsigned line) {
  if (count_.load() == 0) return nullptr;
  const std::size_t rounded =
      (size + HomeMemory::granularity - 1) / HomeMemory::granularity * HomeMemory::granularity;
  const std::scoped_lock lock(mutex_);
  const auto found = std::ranges::find_if(entries_, [&](const Entry& entry) {
    const Allocation& one = entry.allocation;
    return one.kind == MemoryKind::device && one.size == rounded && one.device == device &&
           (entry.line == line || state.queue.is_done_alone(entry.sequence));
  });
  if (found == entries_.end()) return nullptr;
  const Allocation taken = found->allocation;
  entries_.erase(found);
  bytes_ -= taken.size;
  count_.store(entries_.size());
  state.memory.table().undo_retirement(taken.base);
  return reinterpret_cast<void*>(taken.base);
}

void ReturnedMemory::free_unused(Runtime& state, bool all) {
  if (count_.load() == 0) return;
  const std::scoped_lock lock(mutex_);
  std::size_t stays = 0;
  std::erase_if(entries_, [&](const Entry& entry) {
    const Allocation& one = entry.allocation;
    const bool is_used = !state.queue.is_done_alone(entry.sequence);
    if (is_used || (!all && stays + one.size <= entry.may_stay)) {
      stays += one.size;
      return false;
    }
    state.memory.table().end_retirement(one.base);
    state.memory.release(one);
    bytes_ -= one.size;
    return true;
  });
  count_.store(entries_.size());
}

}  // namespace gridspan::runtime
