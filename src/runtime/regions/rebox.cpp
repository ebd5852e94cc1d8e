// Boxes of one view in terms of another.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/regions/rebox.h"

namespace gridspan::runtime::regions {

bool append_reboxed(const View& from, std::span<const Box> boxes, const View& to,
                    const MapLimits& limits, std::vector<Box>& reboxed) {
  // The boxes may overlap and touch: the map sorts that out.
  RegionMap<bool> is_inside(from, false, limits);
  for (const Box& box : boxes) is_inside.assign(box, true);
  if (!is_inside.is_within_limits() || !is_inside.reshape(to)) return false;
  is_inside.query(to.whole(), [&](const Box& piece, bool inside) {
    if (inside) reboxed.push_back(piece);
  });
  return true;
}

}  // namespace gridspan::runtime::regions
