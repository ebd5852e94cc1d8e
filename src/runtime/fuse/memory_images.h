// Copies of what the device holds, to run launches twice from the same state.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/device.h"
#include "runtime/memory/allocation_table.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace gridspan::runtime::fuse {

class MemoryImages {
 public:
  /// Reads all of `memory`, which is the device's; nothing uses it.
  MemoryImages(devices::Device& device, std::span<const Allocation> memory);
  /// Writes back what was read.
  void restore() const;

  struct Difference {
    Allocation memory;
    std::size_t byte;
  };
  /// The first byte that is not as it was.
  std::optional<Difference> first_difference() const;

 private:
  devices::Device& device_;
  std::vector<Allocation> memory_;
  std::vector<std::vector<char>> bytes_;
};

}  // namespace gridspan::runtime::fuse
