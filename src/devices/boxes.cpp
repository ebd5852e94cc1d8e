// Box copies as memmove over the longest contiguous runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/boxes.h"

#include <cstring>

namespace gridspan::devices {

namespace {

/// Folds rows (and then slices) that lie back to back on every side into longer rows.
template <class... Sides>
Extent merge_contiguous(Extent extent, Sides&... sides) {
  const bool rows_touch = ((sides.pitch == extent.width || extent.height == 1) && ...);
  if (!rows_touch) return extent;
  extent.width *= extent.height;
  extent.height = 1;
  const bool slices_touch = ((sides.slice_pitch == extent.width || extent.depth == 1) && ...);
  if (!slices_touch) return extent;
  extent.width *= extent.depth;
  extent.depth = 1;
  return extent;
}

}  // namespace

void copy_box(const Pitched& to, const Pitched& from, const Extent& whole) {
  const Extent extent = merge_contiguous(whole, to, from);
  for (std::size_t slice = 0; slice < extent.depth; ++slice) {
    for (std::size_t row = 0; row < extent.height; ++row) {
      std::memmove(to.base + slice * to.slice_pitch + row * to.pitch,
                   from.base + slice * from.slice_pitch + row * from.pitch, extent.width);
    }
  }
}

void fill_box(const Pitched& to, const Extent& whole, unsigned char value) {
  const Extent extent = merge_contiguous(whole, to);
  for (std::size_t slice = 0; slice < extent.depth; ++slice) {
    for (std::size_t row = 0; row < extent.height; ++row) {
      std::memset(to.base + slice * to.slice_pitch + row * to.pitch, value, extent.width);
    }
  }
}

}  // namespace gridspan::devices
