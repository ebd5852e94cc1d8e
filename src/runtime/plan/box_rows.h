// The contiguous rows of a box.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/regions/box_copies.h"

#include <cstddef>
#include <cstdint>

namespace gridspan::runtime {

/// Calls take(offset, bytes) for each row of the box, `offset` being where it starts in the buffer.
template <class Take>
void for_each_row(const regions::BoxCopy& box, Take take) {
  for (std::size_t slice = 0; slice < box.extent.depth; ++slice) {
    for (std::size_t row = 0; row < box.extent.height; ++row) {
      take(box.offset + static_cast<std::int64_t>(slice * box.slice_pitch + row * box.pitch),
           box.extent.width);
    }
  }
}

}  // namespace gridspan::runtime
