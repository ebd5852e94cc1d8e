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
  /// By launch: the number of its unit 0. Launches end before the first one in which most units
  /// wait for most of earlier launches: nothing of it could run among them.
  std::vector<std::uint32_t> first;
  std::vector<std::uint32_t> waits_for;               // by unit: how many it waits for
  std::vector<std::vector<std::uint32_t>> followers;  // by unit: those that wait for it
};

/// O(units x boxes) where units of a launch lie behind one another in some dimension; bounded where
/// they do not.
UnitGraph graph_of(const Effects& effects);

}  // namespace gridspan::runtime::fuse
