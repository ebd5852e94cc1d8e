// Cuts a grid into parts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/plan/footprints.h"
#include "runtime/plan/work_profile.h"

#include <span>
#include <vector>

namespace gridspan::runtime {

/// Blocks of `grid` along axis 0 (x), 1 or 2.
std::uint32_t extent(const abi::Dim& grid, unsigned axis);

/// At most `speeds.size()` parts along `axis`, none empty, in order of their blocks; part k is for
/// device `device`. Sizes go by the devices' speeds, in units of `granularity` blocks. Devices that
/// would get nothing are left out.
struct CutPart {
  unsigned device;
  BlockBox blocks;
};
std::vector<CutPart> cut(const abi::Dim& grid, unsigned axis, std::uint32_t granularity,
                         std::span<const std::uint32_t> speeds);

/// The same, but sizes go by what blocks work.
std::vector<CutPart> cut(const abi::Dim& grid, unsigned axis, std::uint32_t granularity,
                         std::span<const std::uint32_t> speeds, const AxisProfile& profile);

/// How a grid is cut along two axes: into `groups` slabs along `outer`, each for as many of the
/// devices as any other, or one more; each slab along `inner` for the devices of its group.
///
///     outer = y, inner = x, 2 groups of 5 devices:   +------+------+
///                                                    |  0   |  1   |
///                                                    +---+--+-+----+
///                                                    | 2 | 3  | 4  |
///                                                    |   |    |    |
///                                                    +---+----+----+
struct Crossing {
  unsigned outer, inner;
  std::uint32_t outer_granularity, inner_granularity;
  std::uint32_t groups;  // 1 .. devices
};

/// As `cut`: parts are none empty, in order of their devices, and together are the grid.
std::vector<CutPart> cut(const abi::Dim& grid, const Crossing& crossing,
                         std::span<const std::uint32_t> speeds);

}  // namespace gridspan::runtime
