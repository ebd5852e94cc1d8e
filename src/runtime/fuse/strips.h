// Which units of a group can be done without each other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/fuse/effects.h"
#include "runtime/fuse/unit_graph.h"

#include <cstdint>
#include <vector>

namespace gridspan::runtime::fuse {

/// Units by their numbers in the graph, ascending.
using UnitSet = std::vector<std::uint32_t>;

struct SplitUnits {
  std::vector<UnitSet> alone;    // strips that wait for no other
  std::vector<UnitSet> between;  // sets that wait for strips, but not for each other
};

/// Each launch is cut into `strips` of about equal length. O(units + edges).
SplitUnits split_units(const Effects& effects, const UnitGraph& graph, std::uint32_t strips);

}  // namespace gridspan::runtime::fuse
