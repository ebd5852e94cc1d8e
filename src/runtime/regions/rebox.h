// Boxes of one view in terms of another.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/regions/region_map.h"
#include "runtime/regions/view.h"

#include <span>
#include <vector>

namespace gridspan::runtime::regions {

/// Appends boxes of `to` that hold the bytes `boxes` hold in `from`, a view of the same buffer: for
/// asking a map about an array it is not laid out for. The same bytes give the same boxes, in order
/// of their first corners. False, and nothing is appended, beyond the limits. O(runs of bytes).
bool append_reboxed(const View& from, std::span<const Box> boxes, const View& to,
                    const MapLimits& limits, std::vector<Box>& reboxed);

}  // namespace gridspan::runtime::regions
