// Copies of what devices hold, to run launches twice from the same state.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/schedule/group_place.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace gridspan::runtime::fuse {

class MemoryImages {
 public:
  /// Reads all of `memory`; nothing uses it. The place outlives this.
  MemoryImages(GroupPlace& place, std::span<const Allocation> memory);
  /// Writes back what was read.
  void restore();

  struct Difference {
    Allocation memory;
    std::size_t byte;
  };
  /// The first byte that is not as it was.
  std::optional<Difference> first_difference() const;

 private:
  GroupPlace& place_;
  std::vector<Allocation> memory_;
  std::vector<std::vector<char>> bytes_;
};

}  // namespace gridspan::runtime::fuse
