// Boxes of an array, packed: rows of their own width one after the other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/regions/box_copies.h"
#include "runtime/regions/view.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace gridspan::runtime {

/// Rows and bytes of rows of a buffer, which is seen as rows of `row_bytes` positions (view.h).
struct PackedBox {
  std::int64_t phase;  // position of the buffer's first byte
  std::int64_t row_bytes;
  std::int64_t first_row, rows;
  std::int64_t first_byte, width;  // within a row
  std::int64_t pitch;              // where it is packed

  std::uint64_t bytes() const { return static_cast<std::uint64_t>(rows * pitch); }
};

/// The smallest that holds `boxes`, of some of the rows that `view` has: of those which begin at
/// multiples of `alignment`, a power of two. Nothing if there are none.
std::optional<PackedBox> packed_box(const regions::View& view, std::span<const regions::Box> boxes,
                                    std::int64_t alignment);

/// The same bytes in the buffer and in its packed box.
struct PackedMove {
  std::size_t in_buffer, in_box;  // offsets
  std::size_t buffer_pitch, box_pitch;
  std::size_t width, height;
};

/// Appends the moves for `copy`, which lies in the box.
void append_moves(const PackedBox& box, const regions::BoxCopy& copy,
                  std::vector<PackedMove>& moves);

}  // namespace gridspan::runtime
