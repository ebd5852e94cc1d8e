// What launches that follow one another touch, by units of their blocks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     launch 0   | unit 0 | unit 1 | unit 2 | ...     blocks, cut along one axis of the grid
//                  reads and writes boxes of buffers, from the kernel's compiled footprints
//
// All launches see a buffer in the same view, so that their boxes can be compared.
#pragma once

#include "runtime/memory/allocation_table.h"
#include "runtime/regions/view.h"
#include "runtime/schedule/block_box.h"
#include "runtime/schedule/command.h"
#include "support/result.h"

#include <cstdint>
#include <span>
#include <vector>

namespace gridspan::runtime::fuse {

/// A box of a buffer that blocks read or write.
struct Touch {
  std::uint32_t buffer;  // index into Effects::buffers
  bool writes;
  regions::Box box;
};

struct Unit {
  BlockBox blocks;
  std::vector<Touch> touches;
};

struct LaunchUnits {
  int axis = 0;  // of the grid, along which it is cut
  std::vector<Unit> units;
};

struct Effects {
  std::vector<Allocation> buffers;
  std::vector<regions::View> views;  // by buffer
  std::vector<LaunchUnits> launches;
};

struct UnitSize {
  std::uint32_t most_units = 1;  // of a launch
  std::size_t least_bytes = 0;   // of all buffers, for each unit
};

/// Cuts each launch into units, along the axis that leaves a unit's bytes in the fewest runs. The
/// error says why the launches may not change their order of blocks: it names the kernel and the
/// place. O(launches x units x sets), footprints of one to some boxes. `counts`: how many launches
/// of equal grids become one launch that does what they do, block by block; empty: none does.
support::Result<Effects> effects_of(std::span<KernelCommand* const> launches,
                                    const AllocationTable& allocations, const UnitSize& size,
                                    std::span<const std::size_t> counts = {});

/// Bytes of the launches: what each touches, added up, and what all together touch.
struct TouchedBytes {
  double each = 0;
  double together = 0;
};
/// By the hull of a launch's boxes of a buffer.
TouchedBytes touched_bytes(const Effects& effects);

}  // namespace gridspan::runtime::fuse
