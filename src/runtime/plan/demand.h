// What needs memory on which devices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/plan/device_set.h"
#include "runtime/plan/memory_units.h"
#include "runtime/regions/view.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace gridspan::runtime {

struct VirtualBuffer;

/// Units of copies that something is about to touch (memory_units.h), of copies that have any.
struct Demand {
  struct Stretch {
    unsigned device;
    VirtualBuffer* buffer;
    std::size_t first, end;  // units
  };
  std::vector<Stretch> stretches;  // of one device and buffer ascending and disjoint
  DeviceSet impossible;            // devices on which a copy has not even addresses

  // The residency's notes: as of when all of it has memory, and when that was used last.
  std::uint64_t generation = 0, last_use = 0;

  /// Adds the units that hold `boxes` of the buffer as `view` sees it.
  void add(VirtualBuffer& buffer, unsigned device, const regions::View& view,
           std::span<const regions::Box> boxes);
  /// On one device; all that is added is counted.
  std::uint64_t bytes(unsigned device) const;
  /// To be called when everything is added.
  void tidy();
};

}  // namespace gridspan::runtime
