// The memory behind a device's copy of a buffer, where it is taken in units.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gridspan::runtime {

/// Which units of a copy have memory (DeviceMemory::memory_unit), and when they were used last: in
/// what order things are evicted is decided by numbers that count what was submitted, never by the
/// clock.
struct MemoryUnits {
  MemoryUnits() = default;
  MemoryUnits(std::size_t size_, std::size_t unit_)
      : size(size_), unit(unit_), last_use(unit_ == 0 ? 0 : (size_ + unit_ - 1) / unit_) {}

  std::size_t begin(std::size_t index) const { return index * unit; }
  std::size_t end(std::size_t index) const { return std::min(size, (index + 1) * unit); }
  std::size_t bytes(std::size_t index) const { return end(index) - begin(index); }
  bool has_memory(std::size_t index) const { return last_use[index] != 0; }

  std::size_t size = 0;                 // of the copy
  std::size_t unit = 0;                 // 0: memory comes by itself
  std::vector<std::uint64_t> last_use;  // by unit; 0: there is no memory
};

}  // namespace gridspan::runtime
