// From boxes of a view to rows of a packed box.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/packed_box.h"

#include "runtime/plan/outline.h"

#include <algorithm>

namespace gridspan::runtime {

using regions::Box;

namespace {

/// Boxes begin, and their rows follow each other, at multiples of these.
constexpr std::int64_t first_alignment = 16, pitch_alignment = 128;

std::int64_t round_down(std::int64_t value, std::int64_t to) { return value / to * to; }
std::int64_t round_up(std::int64_t value, std::int64_t to) {
  return round_down(value + to - 1, to);
}

/// Index of the row, and byte in it, of the corner of the box.
struct Place {
  std::int64_t row = 0, byte = 0;
};
template <class Index>
Place place_of(const regions::View& view, int split, Index index) {
  Place place;
  for (int i = 0; i < view.rank; ++i) {
    if (i <= split)
      place.row += index(i) * (view.pitch(i) / view.pitch(split));
    else
      place.byte += index(i) * view.pitch(i);
  }
  return place;
}

}  // namespace

std::optional<PackedBox> packed_box(const regions::View& view, std::span<const Box> boxes,
                                    std::int64_t alignment) {
  std::optional<PackedBox> best;
  const Box hull = hull_of(boxes);
  if (boxes.empty() || hull.is_empty()) return best;
  for (int split = 0; split + 1 < view.rank; ++split) {
    const std::int64_t row_bytes = view.pitch(split);
    if (row_bytes < 2 || row_bytes % alignment != 0 || view.phase % alignment != 0) continue;
    const Place first = place_of(view, split, [&](int i) { return hull[i].begin; });
    const Place last = place_of(view, split, [&](int i) { return hull[i].end - 1; });
    const std::int64_t first_byte = round_down(first.byte, first_alignment);
    const std::int64_t width = last.byte + 1 - first_byte;
    const PackedBox box{.phase = view.phase,
                        .row_bytes = row_bytes,
                        .first_row = first.row,
                        .rows = last.row - first.row + 1,
                        .first_byte = first_byte,
                        .width = width,
                        .pitch = round_up(width, pitch_alignment)};
    if (!best || box.bytes() < best->bytes()) best = box;
  }
  return best;
}

void append_moves(const PackedBox& box, const regions::BoxCopy& copy,
                  std::vector<PackedMove>& moves) {
  const auto& [width, height, depth] = copy.extent;
  const auto row_bytes = static_cast<std::size_t>(box.row_bytes);
  const auto phase = static_cast<std::size_t>(box.phase);
  const auto in_box = [&](std::size_t offset) {
    const std::size_t position = offset + phase;
    const std::size_t row = position / row_bytes - static_cast<std::size_t>(box.first_row);
    return row * static_cast<std::size_t>(box.pitch) + position % row_bytes -
           static_cast<std::size_t>(box.first_byte);
  };
  const std::size_t rows_apart = copy.pitch / row_bytes;
  for (std::size_t z = 0; z < depth; ++z) {
    const std::size_t start = static_cast<std::size_t>(copy.offset) + z * copy.slice_pitch;
    const std::size_t byte = (start + phase) % row_bytes;
    // Rows of the copy are at equal distances in the box, too: each in a row of it, all in one.
    const bool in_rows = copy.pitch % row_bytes == 0 && byte + width <= row_bytes;
    const bool in_one = byte + (height - 1) * copy.pitch + width <= row_bytes;
    if (height == 1 ? byte + width <= row_bytes : in_rows || in_one) {
      const std::size_t pitch =
          in_one ? copy.pitch : rows_apart * static_cast<std::size_t>(box.pitch);
      moves.push_back({start, in_box(start), std::max(copy.pitch, width), std::max(pitch, width),
                       width, height});
      continue;
    }
    for (std::size_t y = 0; y < height; ++y) {
      const std::size_t begin = start + y * copy.pitch;
      for (std::size_t at = begin, bytes = 0; at < begin + width; at += bytes) {
        bytes = std::min(row_bytes - (at + phase) % row_bytes, begin + width - at);
        moves.push_back({at, in_box(at), bytes, bytes, bytes, 1});
      }
    }
  }
}

}  // namespace gridspan::runtime
