// Memory for boxes that are no copies of buffers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/residency.h"

#include <algorithm>

namespace gridspan::runtime {

/// What the launch itself uses was noted as used now, so that it stays.
char* Residency::take_range(unsigned device, std::uint64_t size) {
  std::vector<IdleRange>& idle = idle_[device];
  if (const auto kept = std::ranges::find(idle, size, &IdleRange::size); kept != idle.end()) {
    char* const range = kept->memory;
    idle.erase(kept);
    in_use_[device] += size;
    return range;
  }
  devices::DeviceMemory& on = coherence_.lane(device).device->memory();
  void* memory = on.reserve(size);
  while (!memory) {
    if (!drop_ranges(device) && !evict(device, 1)) return nullptr;
    memory = on.reserve(size);
  }
  auto* const range = static_cast<char*>(memory);
  std::uint64_t got = on.memory_unit(size) == 0 ? size : on.commit(range, size);
  while (got < size) {
    if (!drop_ranges(device) && !evict(device, size - got)) {
      on.release(range, size);
      return nullptr;
    }
    got += on.commit(range + got, size - got);
  }
  in_use_[device] += size;
  return range;
}

void Residency::give_back_range(unsigned device, char* memory, std::uint64_t size) {
  in_use_[device] -= size;
  idle_[device].push_back({memory, size});
}

bool Residency::drop_ranges(unsigned device) {
  std::vector<IdleRange>& idle = idle_[device];
  if (idle.empty()) return false;
  for (const IdleRange& range : idle)
    coherence_.lane(device).device->memory().release(range.memory, range.size);
  idle.clear();
  return true;
}

void Residency::forget_room() {
  for (unsigned device = 0; device < coherence_.devices(); ++device) {
    while (drop_ranges(device)) {
    }
    room_[device] = plenty;
  }
}

}  // namespace gridspan::runtime
