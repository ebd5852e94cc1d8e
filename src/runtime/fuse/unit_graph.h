// Which units of earlier launches a unit has to wait for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/fuse/effects.h"

#include <cstdint>
#include <vector>

namespace gridspan::runtime::fuse {

/// Units are numbered through: those of launch 0, those of launch 1, ... Two units of different
/// launches are joined by an edge if boxes of theirs meet in a buffer and one of the two writes.
struct UnitGraph {
  std::vector<std::uint32_t> first;                   // by launch: the number of its unit 0
  std::vector<std::uint32_t> waits_for;               // by unit: how many it waits for
  std::vector<std::vector<std::uint32_t>> followers;  // by unit: those that wait for it
};

/// The error says that there are more edges than a chain can use. O(units x boxes) where units of
/// a launch lie behind one another in some dimension, at worst O(boxes^2).
support::Result<UnitGraph> graph_of(const Effects& effects);

}  // namespace gridspan::runtime::fuse
