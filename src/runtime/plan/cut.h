// Cuts a grid into parts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/plan/footprints.h"

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

}  // namespace gridspan::runtime
