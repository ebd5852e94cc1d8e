// Buffers by address.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/buffer_table.h"

namespace gridspan::runtime {

namespace {

/// What nobody wrote yet is held by nobody; variables are initialised at home.
DeviceSet first_holders(MemoryKind kind) {
  return kind == MemoryKind::device ? DeviceSet{} : DeviceSet::only(0);
}

}  // namespace

VirtualBuffer* BufferTable::find(std::uintptr_t address) {
  const auto after = buffers_.upper_bound(address);
  if (after != buffers_.begin()) {
    VirtualBuffer& candidate = *std::prev(after)->second;
    // Page-locked memory comes and goes without a word (cudaHostUnregister): asked for each time.
    if (!candidate.is_shared && address < candidate.allocation.end()) return &candidate;
  }
  const Lookup found = allocations_.find(reinterpret_cast<const void*>(address));
  if (!found.is_held()) return nullptr;
  std::unique_ptr<VirtualBuffer>& slot = buffers_[found.allocation.base];
  if (slot && slot->allocation == found.allocation) return slot.get();
  auto made = std::make_unique<VirtualBuffer>(found.allocation, devices_,
                                              first_holders(found.allocation.kind));
  made->number = ++made_;
  slot = std::move(made);
  return slot.get();
}

void BufferTable::meet_all() {
  for (const Allocation& allocation : allocations_.held()) find(allocation.base);
}

void BufferTable::released(std::uintptr_t base) {
  const std::scoped_lock lock(mutex_);
  released_.push_back(base);
  has_released_.store(true);
}

std::vector<std::unique_ptr<VirtualBuffer>> BufferTable::take_released() {
  if (!has_released_.load()) return {};
  std::vector<std::uintptr_t> bases;
  {
    const std::scoped_lock lock(mutex_);
    bases.swap(released_);
    has_released_.store(false);
  }
  std::vector<std::unique_ptr<VirtualBuffer>> taken;
  for (const std::uintptr_t base : bases) {
    const auto found = buffers_.find(base);
    if (found == buffers_.end()) continue;
    taken.push_back(std::move(found->second));
    buffers_.erase(found);
  }
  return taken;
}

}  // namespace gridspan::runtime
